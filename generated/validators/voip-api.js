// Generated from ./openapi/voip-api.yaml; run `npm run codegen` instead of editing.
const schemaFailure = {"type":"object","required":["message"],"properties":{"message":{"type":"string"}}};
const schemaPresence = {"type":"object","required":["mobileId","online","talkGroup"],"properties":{"mobileId":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},"online":{"type":"boolean"},"talkGroup":{"type":["string","null"]}}};
const schemaPresences = {"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":"Presence"}}}};
export const Failure = validateFailure;
export const Presence = validatePresence;
export const Presences = validatePresences;
function validateFailure(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateFailure.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.message === undefined) && (missing0 = "message")){
validateFailure.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaFailure.required,parentSchema:schemaFailure,data}];
return false;
}
else {
if(data.message !== undefined){
let data0 = data.message;
if(typeof data0 !== "string"){
validateFailure.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaFailure.properties.message.type,parentSchema:schemaFailure.properties.message,data:data0}];
return false;
}
}
}
}
else {
validateFailure.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaFailure.type,parentSchema:schemaFailure,data}];
return false;
}
}
validateFailure.errors = vErrors;
return errors === 0;
}
function validatePresence(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePresence.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.mobileId === undefined) && (missing0 = "mobileId")) || ((data.online === undefined) && (missing0 = "online"))) || ((data.talkGroup === undefined) && (missing0 = "talkGroup"))){
validatePresence.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPresence.required,parentSchema:schemaPresence,data}];
return false;
}
else {
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validatePresence.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaPresence.properties.mobileId.type,parentSchema:schemaPresence.properties.mobileId,data:data0}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
validatePresence.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991",schema:9007199254740991,parentSchema:schemaPresence.properties.mobileId,data:data0}];
return false;
}
else {
if(data0 < -9007199254740991 || isNaN(data0)){
validatePresence.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991},message:"must be >= -9007199254740991",schema:-9007199254740991,parentSchema:schemaPresence.properties.mobileId,data:data0}];
return false;
}
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.online !== undefined){
let data1 = data.online;
const _errs3 = errors;
if(typeof data1 !== "boolean"){
validatePresence.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaPresence.properties.online.type,parentSchema:schemaPresence.properties.online,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.talkGroup !== undefined){
let data2 = data.talkGroup;
const _errs5 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validatePresence.errors = [{instancePath:instancePath+"/talkGroup",schemaPath:"#/properties/talkGroup/type",keyword:"type",params:{type: schemaPresence.properties.talkGroup.type},message:"must be string,null",schema:schemaPresence.properties.talkGroup.type,parentSchema:schemaPresence.properties.talkGroup,data:data2}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validatePresence.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPresence.type,parentSchema:schemaPresence,data}];
return false;
}
}
validatePresence.errors = vErrors;
return errors === 0;
}
function validatePresences(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePresences.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.items === undefined) && (missing0 = "items")){
validatePresences.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPresences.required,parentSchema:schemaPresences,data}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validatePresence(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validatePresence.errors : vErrors.concat(validatePresence.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validatePresences.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaPresences.properties.items.type,parentSchema:schemaPresences.properties.items,data:data0}];
return false;
}
}
}
}
}
else {
validatePresences.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPresences.type,parentSchema:schemaPresences,data}];
return false;
}
}
validatePresences.errors = vErrors;
return errors === 0;
}
validateFailure.evaluated = {"props":{"message":true},"dynamicProps":false,"dynamicItems":false};
validatePresence.evaluated = {"props":{"mobileId":true,"online":true,"talkGroup":true},"dynamicProps":false,"dynamicItems":false};
validatePresences.evaluated = {"props":{"items":true},"dynamicProps":false,"dynamicItems":false};
