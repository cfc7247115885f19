// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
import { BadInput, BulkMobileReply, BulkMobileRequest, BulkUserAccountReply, BulkUserAccountRequest, DrivingReportReply, DrivingReportRequest, Failure, Jwks, Liveness, Readiness } from '../validators/gateway.js';
import formats from 'ajv-formats/dist/formats.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
const Own00404e68 = validateOwn00404e68;
const Own44136fa3 = validateOwn44136fa3;
const Own5575dafe = validateOwn5575dafe;
const Own577c4c12 = validateOwn577c4c12;
const Own89a9f9c8 = validateOwn89a9f9c8;
const Owna12efa6b = validateOwna12efa6b;
const Ownd018c249 = validateOwnd018c249;
const Ownd15ebe2d = validateOwnd15ebe2d;
const Ownd515f08f = validateOwnd515f08f;
const Ownf38bd0ce = validateOwnf38bd0ce;
const Ownfbdd71ef = validateOwnfbdd71ef;
const formats_0dc097ed = formats.fullFormats["date-time"];
const func_fe6bb7b7 = ucs2length.default;
const pattern_86c4900e = new RegExp("^[A-Za-z0-9._:-]{1,128}$", "u");
const pattern_eae14d51 = new RegExp("^\\d+$", "u");
const pattern_f7d5692f = new RegExp("^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$", "u");
const schema_2a3684bc = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"Cache-Control":{"type":"string"},"ETag":{"type":"string"},"Age":{"type":"string","pattern":"^\\d+$"}}}}};
const schema_3bdf2d58 = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"x-job-id":{"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$"},"x-job-replayed":{"type":"string","const":"true"}}}}};
const schema_620253d9 = {"type":"object","properties":{"path":{"type":"object","required":["key"],"properties":{"key":{"type":"string"}}},"query":{"type":"object","required":["exp","sig"],"properties":{"exp":{"type":"string"},"sig":{"type":"string"}}}}};
const schema_75eab968 = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"x-job-id":{"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$"}}}}};
const schema_918a922f = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"Content-Disposition":{"type":"string"}}}}};
const schema_a608b17e = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"Retry-After":{"type":"string","pattern":"^\\d+$"}}}}};
const schema_ac35f992 = {"type":"string"};
const schema_b66c1349 = {"type":"object","properties":{"header":{"type":"object","required":[],"properties":{"x-job-id":{"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$"},"x-org-id":{"description":"Organisation code, not blank; in a header it is percent-encoded UTF-8 when it holds anything but visible ASCII. As `encodeURIComponent` writes it, with `.` as `%2E`, it has at most 512 bytes","type":"string","minLength":1,"maxLength":256},"x-job-queued-at":{"type":"string","format":"date-time"},"webhook-id":{"type":"string"},"webhook-timestamp":{"type":"string"},"webhook-signature":{"type":"string"}}}}};
const schema_bb53d957 = {};
const schema_f998a66a = {"type":"object","properties":{"query":{"type":"object","required":[],"properties":{"strict":{"type":"string"}}}}};
const schema_fc11df89 = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"Retry-After":{"type":"string","pattern":"^\\d+$"},"x-job-id":{"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$"}}}}};
function validateOwn00404e68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn00404e68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validateOwn00404e68.errors = vErrors;
return errors === 0;
}
function validateOwn44136fa3(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
validateOwn44136fa3.errors = null;
return true;
}
function validateOwn5575dafe(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn5575dafe.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers !== undefined){
let data0 = data.headers;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["Retry-After"] !== undefined){
let data1 = data0["Retry-After"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/headers/Retry-After",schemaPath:"#/properties/headers/properties/Retry-After/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["Retry-After"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(!pattern_eae14d51.test(data1)){
const err1 = {instancePath:instancePath+"/headers/Retry-After",schemaPath:"#/properties/headers/properties/Retry-After/pattern",keyword:"pattern",params:{pattern: "^\\d+$"},message:"must match pattern \""+"^\\d+$"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
if(data0["x-job-id"] !== undefined){
let data2 = data0["x-job-id"];
if(typeof data2 !== "string"){
let dataType1 = typeof data2;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data2;
}
else if(data2 === null){
coerced1 = "";
}
else {
const err2 = {instancePath:instancePath+"/headers/x-job-id",schemaPath:"#/properties/headers/properties/x-job-id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(coerced1 !== undefined){
data2 = coerced1;
if(data0 !== undefined){
data0["x-job-id"] = coerced1;
}
}
}
if(typeof data2 === "string"){
if(!pattern_86c4900e.test(data2)){
const err3 = {instancePath:instancePath+"/headers/x-job-id",schemaPath:"#/properties/headers/properties/x-job-id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._:-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._:-]{1,128}$"+"\""};
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
}
else {
const err4 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validateOwn5575dafe.errors = vErrors;
return errors === 0;
}
function validateOwn577c4c12(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn577c4c12.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.path !== undefined){
let data0 = data.path;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.key === undefined){
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.key !== undefined){
let data1 = data0.key;
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err1 = {instancePath:instancePath+"/path/key",schemaPath:"#/properties/path/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["key"] = coerced0;
}
}
}
}
}
else {
const err2 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.exp === undefined){
const err3 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "exp"},message:"must have required property '"+"exp"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data2.sig === undefined){
const err4 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "sig"},message:"must have required property '"+"sig"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data2.exp !== undefined){
let data3 = data2.exp;
if(typeof data3 !== "string"){
let dataType1 = typeof data3;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data3;
}
else if(data3 === null){
coerced1 = "";
}
else {
const err5 = {instancePath:instancePath+"/query/exp",schemaPath:"#/properties/query/properties/exp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(coerced1 !== undefined){
data3 = coerced1;
if(data2 !== undefined){
data2["exp"] = coerced1;
}
}
}
}
if(data2.sig !== undefined){
let data4 = data2.sig;
if(typeof data4 !== "string"){
let dataType2 = typeof data4;
let coerced2 = undefined;
if(!(coerced2 !== undefined)){
if(dataType2 == "number" || dataType2 == "boolean"){
coerced2 = "" + data4;
}
else if(data4 === null){
coerced2 = "";
}
else {
const err6 = {instancePath:instancePath+"/query/sig",schemaPath:"#/properties/query/properties/sig/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(coerced2 !== undefined){
data4 = coerced2;
if(data2 !== undefined){
data2["sig"] = coerced2;
}
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validateOwn577c4c12.errors = vErrors;
return errors === 0;
}
function validateOwn89a9f9c8(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn89a9f9c8.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers !== undefined){
let data0 = data.headers;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["Retry-After"] !== undefined){
let data1 = data0["Retry-After"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/headers/Retry-After",schemaPath:"#/properties/headers/properties/Retry-After/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["Retry-After"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(!pattern_eae14d51.test(data1)){
const err1 = {instancePath:instancePath+"/headers/Retry-After",schemaPath:"#/properties/headers/properties/Retry-After/pattern",keyword:"pattern",params:{pattern: "^\\d+$"},message:"must match pattern \""+"^\\d+$"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
else {
const err2 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validateOwn89a9f9c8.errors = vErrors;
return errors === 0;
}
function validateOwna12efa6b(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwna12efa6b.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers !== undefined){
let data0 = data.headers;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["Content-Disposition"] !== undefined){
let data1 = data0["Content-Disposition"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/headers/Content-Disposition",schemaPath:"#/properties/headers/properties/Content-Disposition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["Content-Disposition"] = coerced0;
}
}
}
}
}
else {
const err1 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validateOwna12efa6b.errors = vErrors;
return errors === 0;
}
function validateOwnd018c249(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwnd018c249.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers !== undefined){
let data0 = data.headers;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["x-job-id"] !== undefined){
let data1 = data0["x-job-id"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/headers/x-job-id",schemaPath:"#/properties/headers/properties/x-job-id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["x-job-id"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(!pattern_86c4900e.test(data1)){
const err1 = {instancePath:instancePath+"/headers/x-job-id",schemaPath:"#/properties/headers/properties/x-job-id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._:-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._:-]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
if(data0["x-job-replayed"] !== undefined){
let data2 = data0["x-job-replayed"];
if(typeof data2 !== "string"){
let dataType1 = typeof data2;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data2;
}
else if(data2 === null){
coerced1 = "";
}
else {
const err2 = {instancePath:instancePath+"/headers/x-job-replayed",schemaPath:"#/properties/headers/properties/x-job-replayed/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(coerced1 !== undefined){
data2 = coerced1;
if(data0 !== undefined){
data0["x-job-replayed"] = coerced1;
}
}
}
if("true" !== data2){
const err3 = {instancePath:instancePath+"/headers/x-job-replayed",schemaPath:"#/properties/headers/properties/x-job-replayed/const",keyword:"const",params:{allowedValue: "true"},message:"must be equal to constant"};
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
const err4 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validateOwnd018c249.errors = vErrors;
return errors === 0;
}
function validateOwnd15ebe2d(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwnd15ebe2d.evaluated;
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
if(data0.strict !== undefined){
let data1 = data0.strict;
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/query/strict",schemaPath:"#/properties/query/properties/strict/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["strict"] = coerced0;
}
}
}
}
}
else {
const err1 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validateOwnd15ebe2d.errors = vErrors;
return errors === 0;
}
function validateOwnd515f08f(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwnd515f08f.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers !== undefined){
let data0 = data.headers;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["Cache-Control"] !== undefined){
let data1 = data0["Cache-Control"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/headers/Cache-Control",schemaPath:"#/properties/headers/properties/Cache-Control/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["Cache-Control"] = coerced0;
}
}
}
}
if(data0.ETag !== undefined){
let data2 = data0.ETag;
if(typeof data2 !== "string"){
let dataType1 = typeof data2;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data2;
}
else if(data2 === null){
coerced1 = "";
}
else {
const err1 = {instancePath:instancePath+"/headers/ETag",schemaPath:"#/properties/headers/properties/ETag/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(coerced1 !== undefined){
data2 = coerced1;
if(data0 !== undefined){
data0["ETag"] = coerced1;
}
}
}
}
if(data0.Age !== undefined){
let data3 = data0.Age;
if(typeof data3 !== "string"){
let dataType2 = typeof data3;
let coerced2 = undefined;
if(!(coerced2 !== undefined)){
if(dataType2 == "number" || dataType2 == "boolean"){
coerced2 = "" + data3;
}
else if(data3 === null){
coerced2 = "";
}
else {
const err2 = {instancePath:instancePath+"/headers/Age",schemaPath:"#/properties/headers/properties/Age/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(coerced2 !== undefined){
data3 = coerced2;
if(data0 !== undefined){
data0["Age"] = coerced2;
}
}
}
if(typeof data3 === "string"){
if(!pattern_eae14d51.test(data3)){
const err3 = {instancePath:instancePath+"/headers/Age",schemaPath:"#/properties/headers/properties/Age/pattern",keyword:"pattern",params:{pattern: "^\\d+$"},message:"must match pattern \""+"^\\d+$"+"\""};
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
}
else {
const err4 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validateOwnd515f08f.errors = vErrors;
return errors === 0;
}
function validateOwnf38bd0ce(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwnf38bd0ce.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.header !== undefined){
let data0 = data.header;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["x-job-id"] !== undefined){
let data1 = data0["x-job-id"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/header/x-job-id",schemaPath:"#/properties/header/properties/x-job-id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["x-job-id"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(!pattern_86c4900e.test(data1)){
const err1 = {instancePath:instancePath+"/header/x-job-id",schemaPath:"#/properties/header/properties/x-job-id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._:-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._:-]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
if(data0["x-org-id"] !== undefined){
let data2 = data0["x-org-id"];
if(typeof data2 !== "string"){
let dataType1 = typeof data2;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 == "number" || dataType1 == "boolean"){
coerced1 = "" + data2;
}
else if(data2 === null){
coerced1 = "";
}
else {
const err2 = {instancePath:instancePath+"/header/x-org-id",schemaPath:"#/properties/header/properties/x-org-id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(coerced1 !== undefined){
data2 = coerced1;
if(data0 !== undefined){
data0["x-org-id"] = coerced1;
}
}
}
if(typeof data2 === "string"){
if(data2.length > 256 && func_fe6bb7b7(data2) > 256){
const err3 = {instancePath:instancePath+"/header/x-org-id",schemaPath:"#/properties/header/properties/x-org-id/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data2.length < 1 && func_fe6bb7b7(data2) < 1){
const err4 = {instancePath:instancePath+"/header/x-org-id",schemaPath:"#/properties/header/properties/x-org-id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
if(data0["x-job-queued-at"] !== undefined){
let data3 = data0["x-job-queued-at"];
if(typeof data3 !== "string"){
let dataType2 = typeof data3;
let coerced2 = undefined;
if(!(coerced2 !== undefined)){
if(dataType2 == "number" || dataType2 == "boolean"){
coerced2 = "" + data3;
}
else if(data3 === null){
coerced2 = "";
}
else {
const err5 = {instancePath:instancePath+"/header/x-job-queued-at",schemaPath:"#/properties/header/properties/x-job-queued-at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(coerced2 !== undefined){
data3 = coerced2;
if(data0 !== undefined){
data0["x-job-queued-at"] = coerced2;
}
}
}
if(typeof data3 === "string"){
if(!(pattern_f7d5692f.test(data3) || formats_0dc097ed.validate(data3))){
const err6 = {instancePath:instancePath+"/header/x-job-queued-at",schemaPath:"#/properties/header/properties/x-job-queued-at/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
if(data0["webhook-id"] !== undefined){
let data4 = data0["webhook-id"];
if(typeof data4 !== "string"){
let dataType3 = typeof data4;
let coerced3 = undefined;
if(!(coerced3 !== undefined)){
if(dataType3 == "number" || dataType3 == "boolean"){
coerced3 = "" + data4;
}
else if(data4 === null){
coerced3 = "";
}
else {
const err7 = {instancePath:instancePath+"/header/webhook-id",schemaPath:"#/properties/header/properties/webhook-id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(coerced3 !== undefined){
data4 = coerced3;
if(data0 !== undefined){
data0["webhook-id"] = coerced3;
}
}
}
}
if(data0["webhook-timestamp"] !== undefined){
let data5 = data0["webhook-timestamp"];
if(typeof data5 !== "string"){
let dataType4 = typeof data5;
let coerced4 = undefined;
if(!(coerced4 !== undefined)){
if(dataType4 == "number" || dataType4 == "boolean"){
coerced4 = "" + data5;
}
else if(data5 === null){
coerced4 = "";
}
else {
const err8 = {instancePath:instancePath+"/header/webhook-timestamp",schemaPath:"#/properties/header/properties/webhook-timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(coerced4 !== undefined){
data5 = coerced4;
if(data0 !== undefined){
data0["webhook-timestamp"] = coerced4;
}
}
}
}
if(data0["webhook-signature"] !== undefined){
let data6 = data0["webhook-signature"];
if(typeof data6 !== "string"){
let dataType5 = typeof data6;
let coerced5 = undefined;
if(!(coerced5 !== undefined)){
if(dataType5 == "number" || dataType5 == "boolean"){
coerced5 = "" + data6;
}
else if(data6 === null){
coerced5 = "";
}
else {
const err9 = {instancePath:instancePath+"/header/webhook-signature",schemaPath:"#/properties/header/properties/webhook-signature/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(coerced5 !== undefined){
data6 = coerced5;
if(data0 !== undefined){
data0["webhook-signature"] = coerced5;
}
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/header",schemaPath:"#/properties/header/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validateOwnf38bd0ce.errors = vErrors;
return errors === 0;
}
function validateOwnfbdd71ef(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwnfbdd71ef.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.headers !== undefined){
let data0 = data.headers;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0["x-job-id"] !== undefined){
let data1 = data0["x-job-id"];
if(typeof data1 !== "string"){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 == "number" || dataType0 == "boolean"){
coerced0 = "" + data1;
}
else if(data1 === null){
coerced0 = "";
}
else {
const err0 = {instancePath:instancePath+"/headers/x-job-id",schemaPath:"#/properties/headers/properties/x-job-id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(coerced0 !== undefined){
data1 = coerced0;
if(data0 !== undefined){
data0["x-job-id"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(!pattern_86c4900e.test(data1)){
const err1 = {instancePath:instancePath+"/headers/x-job-id",schemaPath:"#/properties/headers/properties/x-job-id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._:-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._:-]{1,128}$"+"\""};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
else {
const err2 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validateOwnfbdd71ef.errors = vErrors;
return errors === 0;
}
validateOwn00404e68.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateOwn44136fa3.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateOwn5575dafe.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwn577c4c12.evaluated = {"props":{"path":true,"query":true},"dynamicProps":false,"dynamicItems":false};
validateOwn89a9f9c8.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwna12efa6b.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwnd018c249.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwnd15ebe2d.evaluated = {"props":{"query":true},"dynamicProps":false,"dynamicItems":false};
validateOwnd515f08f.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwnf38bd0ce.evaluated = {"props":{"header":true},"dynamicProps":false,"dynamicItems":false};
validateOwnfbdd71ef.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
export const operations = [
  { ...{"operationId":"getJwks","method":"GET","template":"/.well-known/jwks.json","isPublic":true}, path: /^\/\.well-known\/jwks\.json$/,
  isRequired: false, fields: [], content: undefined, responses: {
    '200': { fields: [{"place":"headers","name":"Cache-Control","isList":false},{"place":"headers","name":"ETag","isList":false},{"place":"headers","name":"Age","isList":false}], validateFields: Ownd515f08f, content: { 'application/json': Jwks } },
    '304': { fields: [], content: undefined },
    '400': { fields: [], content: { 'application/json': Failure } },
    '503': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"generateDrivingReport","method":"POST","template":"/api/v1/DrivingReport/GenerateCallback","isPublic":false}, path: /^\/api\/v1\/DrivingReport\/GenerateCallback$/,
  isRequired: true, fields: [{"place":"header","name":"x-job-id","isList":false},{"place":"header","name":"x-org-id","isList":false},{"place":"header","name":"x-job-queued-at","isList":false},{"place":"header","name":"webhook-id","isList":false},{"place":"header","name":"webhook-timestamp","isList":false},{"place":"header","name":"webhook-signature","isList":false}], validateFields: Ownf38bd0ce, content: { 'application/json': DrivingReportRequest }, responses: {
    '200': { fields: [{"place":"headers","name":"x-job-id","isList":false},{"place":"headers","name":"x-job-replayed","isList":false}], validateFields: Ownd018c249, content: { 'application/json': DrivingReportReply } },
    '400': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': BadInput } },
    '401': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '409': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
    '413': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '415': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '422': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '500': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '503': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"bulkOperationUserAccount","method":"POST","template":"/api/v1/UserAccount/BulkOperationCallback","isPublic":false}, path: /^\/api\/v1\/UserAccount\/BulkOperationCallback$/,
  isRequired: true, fields: [{"place":"header","name":"x-job-id","isList":false},{"place":"header","name":"x-org-id","isList":false},{"place":"header","name":"x-job-queued-at","isList":false},{"place":"header","name":"webhook-id","isList":false},{"place":"header","name":"webhook-timestamp","isList":false},{"place":"header","name":"webhook-signature","isList":false}], validateFields: Ownf38bd0ce, content: { 'application/json': BulkUserAccountRequest }, responses: {
    '200': { fields: [{"place":"headers","name":"x-job-id","isList":false},{"place":"headers","name":"x-job-replayed","isList":false}], validateFields: Ownd018c249, content: { 'application/json': BulkUserAccountReply } },
    '400': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': BadInput } },
    '401': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '409': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
    '413': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '415': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '422': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '500': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '503': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"bulkUpdateMobile","method":"POST","template":"/api/v1/Mobile/BulkUpdateCallback","isPublic":false}, path: /^\/api\/v1\/Mobile\/BulkUpdateCallback$/,
  isRequired: true, fields: [{"place":"header","name":"x-job-id","isList":false},{"place":"header","name":"x-org-id","isList":false},{"place":"header","name":"x-job-queued-at","isList":false},{"place":"header","name":"webhook-id","isList":false},{"place":"header","name":"webhook-timestamp","isList":false},{"place":"header","name":"webhook-signature","isList":false}], validateFields: Ownf38bd0ce, content: { 'application/json': BulkMobileRequest }, responses: {
    '200': { fields: [{"place":"headers","name":"x-job-id","isList":false},{"place":"headers","name":"x-job-replayed","isList":false}], validateFields: Ownd018c249, content: { 'application/json': BulkMobileReply } },
    '400': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': BadInput } },
    '401': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '409': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
    '413': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '415': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '422': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '500': { fields: [{"place":"headers","name":"x-job-id","isList":false}], validateFields: Ownfbdd71ef, content: { 'application/json': Failure } },
    '503': { fields: [{"place":"headers","name":"Retry-After","isList":false},{"place":"headers","name":"x-job-id","isList":false}], validateFields: Own5575dafe, content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"getReadiness","method":"GET","template":"/health/ready","isPublic":true}, path: /^\/health\/ready$/,
  isRequired: false, fields: [{"place":"query","name":"strict","isList":false}], validateFields: Ownd15ebe2d, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': Readiness } },
    '400': { fields: [], content: { 'application/json': Failure } },
    '503': { fields: [], content: { 'application/json': Readiness } },
  } },
  { ...{"operationId":"getLiveness","method":"GET","template":"/health/live","isPublic":true}, path: /^\/health\/live$/,
  isRequired: false, fields: [], content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': Liveness } },
    '400': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"downloadFile","method":"GET","template":"/files/{key}","isPublic":true}, path: /^\/files\/(?<key>.+)$/,
  isRequired: false, fields: [{"place":"path","name":"key","isList":false},{"place":"query","name":"exp","isList":false},{"place":"query","name":"sig","isList":false}], validateFields: Own577c4c12, content: undefined, responses: {
    '200': { fields: [{"place":"headers","name":"Content-Disposition","isList":false}], validateFields: Owna12efa6b, content: { 'application/pdf': Own44136fa3, 'text/csv': Own44136fa3 } },
    '400': { fields: [], content: { 'application/json': Failure } },
    '403': { fields: [], content: { 'application/json': Failure, 'text/html': Own00404e68 } },
    '404': { fields: [], content: { 'application/json': Failure } },
    '503': { fields: [{"place":"headers","name":"Retry-After","isList":false}], validateFields: Own89a9f9c8, content: { 'application/json': Failure } },
  } },
];
