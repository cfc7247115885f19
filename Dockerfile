# syntax=docker/dockerfile:1

# One image, two programs: the gateway (default) and the queue function (command: node dist/queue-function.js).

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY .ci/build .ci/build
COPY generated generated
COPY src src
# Of what is built: --build-arg COMMIT=$(git rev-parse --short=12 HEAD)
ARG COMMIT=unknown
# The sandbox and the demo are for development and stay behind.
RUN npm run build && rm -r dist/sandbox dist/demo

FROM node:24-slim
ARG COMMIT=unknown
LABEL org.opencontainers.image.version=0.1.0 org.opencontainers.image.revision=$COMMIT
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# Reports are set in two weights; the other font files would be most of the image.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm cache clean --force \
  && find node_modules/@expo-google-fonts -name '*.ttf' ! -path '*/400Regular/*' ! -path '*/700Bold/*' -delete
COPY schema schema
COPY generated/callbacks.js generated/callbacks.js
COPY generated/validators generated/validators
# What is served with PUBLISH_SCHEMA.
COPY generated/schema.graphql generated/schema.graphql
COPY generated/openapi/gateway.json generated/openapi/gateway.json
COPY --from=build /app/dist dist
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const { PORT = '8080', BASE_PATH = '' } = process.env; fetch(`http://127.0.0.1:${PORT}${BASE_PATH}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# V8 would take a limit of 1 GiB for a reason to collect garbage every 4 MiB (deploy/README.md).
CMD ["node", "--max-semi-space-size=64", "dist/main.js"]
