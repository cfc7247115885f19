/** Serves SQS on the loopback address until it is ended, and says where. Argument: the port, any by default. */
import process from 'node:process';
import { buildApp } from 'fauxqs';

const [, , port = '0'] = process.argv;
const app = buildApp({ logger: false });
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: Number(port) })}\n`);
