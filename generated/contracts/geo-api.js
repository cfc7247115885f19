// Generated from ./openapi/geo-api.yaml; run `npm run codegen` instead of editing.
import { Addresses, Failure, Points } from '../validators/geo-api.js';
export const operations = [
  { ...{"operationId":"reverseGeocode","method":"POST","template":"/v1/reverse-geocode","isPublic":false}, path: /^\/v1\/reverse-geocode$/,
  isRequired: true, fields: [], content: { 'application/json': Points }, responses: {
    '200': { fields: [], content: { 'application/json': Addresses } },
    '4XX': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"getHealth","method":"GET","template":"/health","isPublic":true}, path: /^\/health$/,
  isRequired: false, fields: [], content: undefined, responses: {
    '200': { fields: [], content: undefined },
    '4XX': { fields: [], content: undefined },
    'default': { fields: [], content: undefined },
  } },
];
