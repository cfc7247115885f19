// Generated from ./openapi/voip-api.yaml; run `npm run codegen` instead of editing.
import { Failure, Presences } from '../validators/voip-api.js';
const Own06e10070 = validateOwn06e10070;
const schema_0c7cbcba = {"type":"object","properties":{"query":{"type":"object","required":["mobileIds"],"properties":{"mobileIds":{"type":"array","minItems":1,"items":{"type":"integer"}}}}}};
function validateOwn06e10070(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn06e10070.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.query !== undefined){
let data0 = data.query;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.mobileIds === undefined){
const err0 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "mobileIds"},message:"must have required property '"+"mobileIds"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.mobileIds !== undefined){
let data1 = data0.mobileIds;
if(Array.isArray(data1)){
if(data1.length < 1){
const err1 = {instancePath:instancePath+"/query/mobileIds",schemaPath:"#/properties/query/properties/mobileIds/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
let dataType0 = typeof data2;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 === "boolean" || data2 === null
              || (dataType0 === "string" && data2 && data2 == +data2 && !(data2 % 1))){
coerced0 = +data2;
}
else {
const err2 = {instancePath:instancePath+"/query/mobileIds/" + i0,schemaPath:"#/properties/query/properties/mobileIds/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(coerced0 !== undefined){
data2 = coerced0;
if(data1 !== undefined){
data1[i0] = coerced0;
}
}
}
}
}
else {
const err3 = {instancePath:instancePath+"/query/mobileIds",schemaPath:"#/properties/query/properties/mobileIds/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validateOwn06e10070.errors = vErrors;
return errors === 0;
}
validateOwn06e10070.evaluated = {"props":{"query":true},"dynamicProps":false,"dynamicItems":false};
export const operations = [
  { ...{"operationId":"getPresence","method":"GET","template":"/v1/presence","isPublic":false}, path: /^\/v1\/presence$/,
  isRequired: false, fields: [{"place":"query","name":"mobileIds","isList":true}], validateFields: Own06e10070, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': Presences } },
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
