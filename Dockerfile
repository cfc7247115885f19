# syntax=docker/dockerfile:1

# One image, two programs: the gateway (default) and the queue function (command: node dist/queue-function.js).

FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY .ci/build.js .ci/bundle.js .ci/
COPY generated generated
COPY src src
# Of what is built: --build-arg COMMIT=$(git rev-parse --short=12 HEAD)
ARG COMMIT=unknown
# Without the sandbox and the demo, which are for development, and with the packages that are not bundled alone. Of the
# API reference the image needs one file, and none of the packages that this one names.
RUN npm run build -- --image && mv dist/package.json . \
  && mv node_modules/@scalar/fastify-api-reference reference \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && mkdir -p node_modules/@scalar && mv reference node_modules/@scalar/fastify-api-reference \
  && rm -rf node_modules/@libsql/linux-*-musl \
  && find node_modules/@expo-google-fonts -name '*.ttf' ! -path '*/400Regular/*' ! -path '*/700Bold/*' -delete

FROM node:24.21.0-slim
ARG COMMIT=unknown
LABEL org.opencontainers.image.version=0.2.0 org.opencontainers.image.revision=$COMMIT
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json package.json
COPY --from=build /app/node_modules node_modules
COPY schema schema
# What is served with PUBLISH_SCHEMA.
COPY generated/schema.graphql generated/errors.json generated/
COPY generated/openapi/gateway.json generated/openapi/gateway.json
COPY openapi/gateway.yaml openapi/gateway.yaml
COPY --from=build /app/dist dist
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const { PORT = '8080', BASE_PATH = '' } = process.env; fetch(`http://127.0.0.1:${PORT}${BASE_PATH}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# V8 would take a limit of 1 GiB for a reason to collect garbage every 4 MiB (deploy/README.md).
CMD ["node", "--min-semi-space-size=16", "--max-semi-space-size=64", "dist/main.js"]
