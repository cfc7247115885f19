import type { Plugin } from 'graphql-yoga';
import { badInput } from '../errors.js';
import { toRequestError } from './error-mapping.js';

/**
 * Refuses requests that the server would take although they are not JSON: forms and plain text, which any web page
 * can have its visitors' browsers send without asking first (CORS), and broken JSON in a query string.
 */
export function jsonRequestsOnly(): Plugin {
  return {
    onRequestParse({ request: { method, headers }, url, endResponse, fetchAPI }) {
      const refuse = (status: number, message: string): void =>
        endResponse(fetchAPI.Response.json({ errors: [toRequestError(badInput(message))] }, { status }));
      if (method === 'POST' && mediaTypeOf(headers) !== 'application/json') {
        refuse(415, 'Content-Type must be application/json.');
      }
      if (method === 'GET') {
        const broken = ['variables', 'extensions'].filter((name) => !isJson(url.searchParams.get(name) ?? ''));
        if (broken.length > 0) refuse(400, `${broken.join(' and ')} must be JSON.`);
      }
    },
  };
}

function mediaTypeOf(headers: Headers): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** Empty counts as absent. */
function isJson(text: string): boolean {
  try {
    return text === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
