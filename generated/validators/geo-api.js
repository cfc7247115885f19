// Generated from ./openapi/geo-api.yaml; run `npm run codegen` instead of editing.
const schemaAddress = {"type":["string","null"],"description":"null where no address is known"};
const schemaAddresses = {"type":"object","required":["addresses"],"properties":{"addresses":{"type":"array","items":{"$ref":"Address"}}}};
const schemaFailure = {"type":"object","required":["message"],"properties":{"message":{"type":"string"}}};
const schemaPoint = {"type":"object","required":["lat","lng"],"properties":{"lat":{"type":"number","minimum":-90,"maximum":90},"lng":{"type":"number","minimum":-180,"maximum":180}}};
const schemaPoints = {"type":"object","required":["points"],"properties":{"points":{"type":"array","items":{"$ref":"Point"}}}};
export const Address = validateAddress;
export const Addresses = validateAddresses;
export const Failure = validateFailure;
export const Point = validatePoint;
export const Points = validatePoints;
function validateAddress(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateAddress.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (data !== null)){
validateAddress.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schemaAddress.type},message:"must be string,null",schema:schemaAddress.type,parentSchema:schemaAddress,data}];
return false;
}
validateAddress.errors = vErrors;
return errors === 0;
}
function validateAddresses(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateAddresses.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.addresses === undefined) && (missing0 = "addresses")){
validateAddresses.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaAddresses.required,parentSchema:schemaAddresses,data}];
return false;
}
else {
if(data.addresses !== undefined){
let data0 = data.addresses;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validateAddress(data0[i0], {instancePath:instancePath+"/addresses/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateAddress.errors : vErrors.concat(validateAddress.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validateAddresses.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaAddresses.properties.addresses.type,parentSchema:schemaAddresses.properties.addresses,data:data0}];
return false;
}
}
}
}
}
else {
validateAddresses.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaAddresses.type,parentSchema:schemaAddresses,data}];
return false;
}
}
validateAddresses.errors = vErrors;
return errors === 0;
}
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
function validatePoint(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePoint.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.lat === undefined) && (missing0 = "lat")) || ((data.lng === undefined) && (missing0 = "lng"))){
validatePoint.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPoint.required,parentSchema:schemaPoint,data}];
return false;
}
else {
if(data.lat !== undefined){
let data0 = data.lat;
const _errs1 = errors;
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 90 || isNaN(data0)){
validatePoint.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 90},message:"must be <= 90",schema:90,parentSchema:schemaPoint.properties.lat,data:data0}];
return false;
}
else {
if(data0 < -90 || isNaN(data0)){
validatePoint.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/minimum",keyword:"minimum",params:{comparison: ">=", limit: -90},message:"must be >= -90",schema:-90,parentSchema:schemaPoint.properties.lat,data:data0}];
return false;
}
}
}
else {
validatePoint.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaPoint.properties.lat.type,parentSchema:schemaPoint.properties.lat,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lng !== undefined){
let data1 = data.lng;
const _errs3 = errors;
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 180 || isNaN(data1)){
validatePoint.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/maximum",keyword:"maximum",params:{comparison: "<=", limit: 180},message:"must be <= 180",schema:180,parentSchema:schemaPoint.properties.lng,data:data1}];
return false;
}
else {
if(data1 < -180 || isNaN(data1)){
validatePoint.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/minimum",keyword:"minimum",params:{comparison: ">=", limit: -180},message:"must be >= -180",schema:-180,parentSchema:schemaPoint.properties.lng,data:data1}];
return false;
}
}
}
else {
validatePoint.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaPoint.properties.lng.type,parentSchema:schemaPoint.properties.lng,data:data1}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validatePoint.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPoint.type,parentSchema:schemaPoint,data}];
return false;
}
}
validatePoint.errors = vErrors;
return errors === 0;
}
function validatePoints(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePoints.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.points === undefined) && (missing0 = "points")){
validatePoints.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPoints.required,parentSchema:schemaPoints,data}];
return false;
}
else {
if(data.points !== undefined){
let data0 = data.points;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validatePoint(data0[i0], {instancePath:instancePath+"/points/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validatePoint.errors : vErrors.concat(validatePoint.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validatePoints.errors = [{instancePath:instancePath+"/points",schemaPath:"#/properties/points/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaPoints.properties.points.type,parentSchema:schemaPoints.properties.points,data:data0}];
return false;
}
}
}
}
}
else {
validatePoints.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPoints.type,parentSchema:schemaPoints,data}];
return false;
}
}
validatePoints.errors = vErrors;
return errors === 0;
}
validateAddress.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateAddresses.evaluated = {"props":{"addresses":true},"dynamicProps":false,"dynamicItems":false};
validateFailure.evaluated = {"props":{"message":true},"dynamicProps":false,"dynamicItems":false};
validatePoint.evaluated = {"props":{"lat":true,"lng":true},"dynamicProps":false,"dynamicItems":false};
validatePoints.evaluated = {"props":{"points":true},"dynamicProps":false,"dynamicItems":false};
