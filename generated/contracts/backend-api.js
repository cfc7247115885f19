// Generated from ./openapi/backend-api.yaml; run `npm run codegen` instead of editing.
import { CreatedUserAccount, DrivingRecord, Failure, LoginReply, LoginRequest, Mobile, MobileIds, MobilePage, MobilePatch, OtpDelivery, OtpRequest, OtpVerification, PublicKeys, RefreshRequest, Session, Tags, UserAccount, UserAccountInput, UserAccountPage } from '../validators/backend-api.js';
import formats from 'ajv-formats/dist/formats.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
const Own0b8ee3af = validateOwn0b8ee3af;
const Own1a943924 = validateOwn1a943924;
const Own5a582fbe = validateOwn5a582fbe;
const Own61ae2733 = validateOwn61ae2733;
const Own6d3fd03f = validateOwn6d3fd03f;
const Own7500c48c = validateOwn7500c48c;
const Owndfeaf011 = validateOwndfeaf011;
const Owne95f7553 = validateOwne95f7553;
const Ownec459aa5 = validateOwnec459aa5;
const formats_349c6e49 = formats.fullFormats["date-time"];
const func_e360621c = ucs2length.default;
const pattern_51128e45 = new RegExp("^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$", "u");
const schema_0047af86 = {"type":"object","properties":{"path":{"type":"object","required":["id"],"properties":{"id":{"type":"string","minLength":1}}},"query":{"type":"object","required":["from","to"],"properties":{"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}}}}};
const schema_25ae557f = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"ETag":{"type":"string"}}}}};
const schema_2da92c45 = {"type":"object","properties":{"headers":{"type":"object","required":[],"properties":{"Retry-After":{"type":"string"}}}}};
const schema_47ade967 = {"type":"object","properties":{"header":{"type":"object","required":[],"properties":{"Idempotency-Key":{"type":"string","minLength":1,"maxLength":1024}}}}};
const schema_81527e94 = {"type":"object","properties":{"header":{"type":"object","required":[],"properties":{"If-None-Match":{"type":"string"}}}}};
const schema_a4d85263 = {"type":"object","properties":{"path":{"type":"object","required":["loginId"],"properties":{"loginId":{"type":"string","minLength":1}}}}};
const schema_d8a0f050 = {"type":"object","properties":{"query":{"type":"object","required":[],"properties":{"limit":{"type":"integer","minimum":1,"maximum":200},"cursor":{"type":"string","minLength":1}}}}};
const schema_d9613fbb = {"type":"object","properties":{"query":{"type":"object","required":[],"properties":{"search":{"type":"string","maxLength":256},"tagIds":{"type":"array","items":{"description":"Exact in every JSON parser (RFC 7493, section 2.2)","type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}},"limit":{"type":"integer","minimum":1,"maximum":200},"cursor":{"type":"string","minLength":1}}}}};
const schema_ef5447c8 = {"type":"object","properties":{"path":{"type":"object","required":["id"],"properties":{"id":{"type":"string","minLength":1}}}}};
function validateOwn0b8ee3af(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn0b8ee3af.evaluated;
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
if(data0.id === undefined){
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.id !== undefined){
let data1 = data0.id;
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
const err1 = {instancePath:instancePath+"/path/id",schemaPath:"#/properties/path/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["id"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(data1.length < 1 && func_e360621c(data1) < 1){
const err2 = {instancePath:instancePath+"/path/id",schemaPath:"#/properties/path/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
else {
const err3 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validateOwn0b8ee3af.errors = vErrors;
return errors === 0;
}
function validateOwn1a943924(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn1a943924.evaluated;
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
if(data0.search !== undefined){
let data1 = data0.search;
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
const err0 = {instancePath:instancePath+"/query/search",schemaPath:"#/properties/query/properties/search/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["search"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(data1.length > 256 && func_e360621c(data1) > 256){
const err1 = {instancePath:instancePath+"/query/search",schemaPath:"#/properties/query/properties/search/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters"};
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
if(data0.tagIds !== undefined){
let data2 = data0.tagIds;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
let dataType1 = typeof data3;
let coerced1 = undefined;
if(!(coerced1 !== undefined)){
if(dataType1 === "boolean" || data3 === null
              || (dataType1 === "string" && data3 && data3 == +data3 && !(data3 % 1))){
coerced1 = +data3;
}
else {
const err2 = {instancePath:instancePath+"/query/tagIds/" + i0,schemaPath:"#/properties/query/properties/tagIds/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
data3 = coerced1;
if(data2 !== undefined){
data2[i0] = coerced1;
}
}
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 9007199254740991 || isNaN(data3)){
const err3 = {instancePath:instancePath+"/query/tagIds/" + i0,schemaPath:"#/properties/query/properties/tagIds/items/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data3 < -9007199254740991 || isNaN(data3)){
const err4 = {instancePath:instancePath+"/query/tagIds/" + i0,schemaPath:"#/properties/query/properties/tagIds/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991},message:"must be >= -9007199254740991"};
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
}
else {
const err5 = {instancePath:instancePath+"/query/tagIds",schemaPath:"#/properties/query/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.limit !== undefined){
let data4 = data0.limit;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
let dataType2 = typeof data4;
let coerced2 = undefined;
if(!(coerced2 !== undefined)){
if(dataType2 === "boolean" || data4 === null
              || (dataType2 === "string" && data4 && data4 == +data4 && !(data4 % 1))){
coerced2 = +data4;
}
else {
const err6 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
if(data0 !== undefined){
data0["limit"] = coerced2;
}
}
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 200 || isNaN(data4)){
const err7 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200},message:"must be <= 200"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data4 < 1 || isNaN(data4)){
const err8 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data0.cursor !== undefined){
let data5 = data0.cursor;
if(typeof data5 !== "string"){
let dataType3 = typeof data5;
let coerced3 = undefined;
if(!(coerced3 !== undefined)){
if(dataType3 == "number" || dataType3 == "boolean"){
coerced3 = "" + data5;
}
else if(data5 === null){
coerced3 = "";
}
else {
const err9 = {instancePath:instancePath+"/query/cursor",schemaPath:"#/properties/query/properties/cursor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(coerced3 !== undefined){
data5 = coerced3;
if(data0 !== undefined){
data0["cursor"] = coerced3;
}
}
}
if(typeof data5 === "string"){
if(data5.length < 1 && func_e360621c(data5) < 1){
const err10 = {instancePath:instancePath+"/query/cursor",schemaPath:"#/properties/query/properties/cursor/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
else {
const err11 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validateOwn1a943924.errors = vErrors;
return errors === 0;
}
function validateOwn5a582fbe(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn5a582fbe.evaluated;
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
if(data0["Idempotency-Key"] !== undefined){
let data1 = data0["Idempotency-Key"];
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
const err0 = {instancePath:instancePath+"/header/Idempotency-Key",schemaPath:"#/properties/header/properties/Idempotency-Key/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["Idempotency-Key"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(data1.length > 1024 && func_e360621c(data1) > 1024){
const err1 = {instancePath:instancePath+"/header/Idempotency-Key",schemaPath:"#/properties/header/properties/Idempotency-Key/maxLength",keyword:"maxLength",params:{limit: 1024},message:"must NOT have more than 1024 characters"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data1.length < 1 && func_e360621c(data1) < 1){
const err2 = {instancePath:instancePath+"/header/Idempotency-Key",schemaPath:"#/properties/header/properties/Idempotency-Key/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
else {
const err3 = {instancePath:instancePath+"/header",schemaPath:"#/properties/header/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validateOwn5a582fbe.errors = vErrors;
return errors === 0;
}
function validateOwn61ae2733(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn61ae2733.evaluated;
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
if(data0.loginId === undefined){
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/required",keyword:"required",params:{missingProperty: "loginId"},message:"must have required property '"+"loginId"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.loginId !== undefined){
let data1 = data0.loginId;
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
const err1 = {instancePath:instancePath+"/path/loginId",schemaPath:"#/properties/path/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["loginId"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(data1.length < 1 && func_e360621c(data1) < 1){
const err2 = {instancePath:instancePath+"/path/loginId",schemaPath:"#/properties/path/properties/loginId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
else {
const err3 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validateOwn61ae2733.errors = vErrors;
return errors === 0;
}
function validateOwn6d3fd03f(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn6d3fd03f.evaluated;
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
if(data0.limit !== undefined){
let data1 = data0.limit;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
let dataType0 = typeof data1;
let coerced0 = undefined;
if(!(coerced0 !== undefined)){
if(dataType0 === "boolean" || data1 === null
              || (dataType0 === "string" && data1 && data1 == +data1 && !(data1 % 1))){
coerced0 = +data1;
}
else {
const err0 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
data0["limit"] = coerced0;
}
}
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 200 || isNaN(data1)){
const err1 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 200},message:"must be <= 200"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err2 = {instancePath:instancePath+"/query/limit",schemaPath:"#/properties/query/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data0.cursor !== undefined){
let data2 = data0.cursor;
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
const err3 = {instancePath:instancePath+"/query/cursor",schemaPath:"#/properties/query/properties/cursor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(coerced1 !== undefined){
data2 = coerced1;
if(data0 !== undefined){
data0["cursor"] = coerced1;
}
}
}
if(typeof data2 === "string"){
if(data2.length < 1 && func_e360621c(data2) < 1){
const err4 = {instancePath:instancePath+"/query/cursor",schemaPath:"#/properties/query/properties/cursor/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
else {
const err5 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validateOwn6d3fd03f.errors = vErrors;
return errors === 0;
}
function validateOwn7500c48c(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwn7500c48c.evaluated;
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
validateOwn7500c48c.errors = vErrors;
return errors === 0;
}
function validateOwndfeaf011(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwndfeaf011.evaluated;
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
if(data0["If-None-Match"] !== undefined){
let data1 = data0["If-None-Match"];
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
const err0 = {instancePath:instancePath+"/header/If-None-Match",schemaPath:"#/properties/header/properties/If-None-Match/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["If-None-Match"] = coerced0;
}
}
}
}
}
else {
const err1 = {instancePath:instancePath+"/header",schemaPath:"#/properties/header/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validateOwndfeaf011.errors = vErrors;
return errors === 0;
}
function validateOwne95f7553(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwne95f7553.evaluated;
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
if(data0.ETag !== undefined){
let data1 = data0.ETag;
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
const err0 = {instancePath:instancePath+"/headers/ETag",schemaPath:"#/properties/headers/properties/ETag/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["ETag"] = coerced0;
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
validateOwne95f7553.errors = vErrors;
return errors === 0;
}
function validateOwnec459aa5(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOwnec459aa5.evaluated;
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
if(data0.id === undefined){
const err0 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data0.id !== undefined){
let data1 = data0.id;
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
const err1 = {instancePath:instancePath+"/path/id",schemaPath:"#/properties/path/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
data0["id"] = coerced0;
}
}
}
if(typeof data1 === "string"){
if(data1.length < 1 && func_e360621c(data1) < 1){
const err2 = {instancePath:instancePath+"/path/id",schemaPath:"#/properties/path/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
else {
const err3 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.query !== undefined){
let data2 = data.query;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.from === undefined){
const err4 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "from"},message:"must have required property '"+"from"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data2.to === undefined){
const err5 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.from !== undefined){
let data3 = data2.from;
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
const err6 = {instancePath:instancePath+"/query/from",schemaPath:"#/properties/query/properties/from/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(coerced1 !== undefined){
data3 = coerced1;
if(data2 !== undefined){
data2["from"] = coerced1;
}
}
}
if(typeof data3 === "string"){
if(!(pattern_51128e45.test(data3) || formats_349c6e49.validate(data3))){
const err7 = {instancePath:instancePath+"/query/from",schemaPath:"#/properties/query/properties/from/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
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
if(data2.to !== undefined){
let data4 = data2.to;
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
const err8 = {instancePath:instancePath+"/query/to",schemaPath:"#/properties/query/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(coerced2 !== undefined){
data4 = coerced2;
if(data2 !== undefined){
data2["to"] = coerced2;
}
}
}
if(typeof data4 === "string"){
if(!(pattern_51128e45.test(data4) || formats_349c6e49.validate(data4))){
const err9 = {instancePath:instancePath+"/query/to",schemaPath:"#/properties/query/properties/to/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\""};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/query",schemaPath:"#/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validateOwnec459aa5.errors = vErrors;
return errors === 0;
}
validateOwn0b8ee3af.evaluated = {"props":{"path":true},"dynamicProps":false,"dynamicItems":false};
validateOwn1a943924.evaluated = {"props":{"query":true},"dynamicProps":false,"dynamicItems":false};
validateOwn5a582fbe.evaluated = {"props":{"header":true},"dynamicProps":false,"dynamicItems":false};
validateOwn61ae2733.evaluated = {"props":{"path":true},"dynamicProps":false,"dynamicItems":false};
validateOwn6d3fd03f.evaluated = {"props":{"query":true},"dynamicProps":false,"dynamicItems":false};
validateOwn7500c48c.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwndfeaf011.evaluated = {"props":{"header":true},"dynamicProps":false,"dynamicItems":false};
validateOwne95f7553.evaluated = {"props":{"headers":true},"dynamicProps":false,"dynamicItems":false};
validateOwnec459aa5.evaluated = {"props":{"path":true,"query":true},"dynamicProps":false,"dynamicItems":false};
export const operations = [
  { ...{"operationId":"getPublicKeys","method":"GET","template":"/v1/public-keys","isPublic":true}, path: /^\/v1\/public-keys$/,
  isRequired: false, fields: [{"place":"header","name":"If-None-Match","isList":false}], validateFields: Owndfeaf011, content: undefined, responses: {
    '200': { fields: [{"place":"headers","name":"ETag","isList":false}], validateFields: Owne95f7553, content: { 'application/json': PublicKeys } },
    '304': { fields: [], content: undefined },
    '4XX': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"login","method":"POST","template":"/v1/login","isPublic":true}, path: /^\/v1\/login$/,
  isRequired: true, fields: [], content: { 'application/json': LoginRequest }, responses: {
    '200': { fields: [], content: { 'application/json': LoginReply } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"refreshToken","method":"POST","template":"/v1/token/refresh","isPublic":true}, path: /^\/v1\/token\/refresh$/,
  isRequired: true, fields: [], content: { 'application/json': RefreshRequest }, responses: {
    '200': { fields: [], content: { 'application/json': Session } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"sendOtp","method":"POST","template":"/v1/otp/send","isPublic":true}, path: /^\/v1\/otp\/send$/,
  isRequired: true, fields: [], content: { 'application/json': OtpRequest }, responses: {
    '200': { fields: [], content: { 'application/json': OtpDelivery } },
    '404': { fields: [], content: { 'application/json': Failure } },
    '4XX': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"sendTestOtp","method":"POST","template":"/v1/otp/send-test","isPublic":true}, path: /^\/v1\/otp\/send-test$/,
  isRequired: true, fields: [], content: { 'application/json': OtpRequest }, responses: {
    '200': { fields: [], content: { 'application/json': OtpDelivery } },
    '404': { fields: [], content: { 'application/json': Failure } },
    '4XX': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"verifyOtp","method":"POST","template":"/v1/otp/verify","isPublic":true}, path: /^\/v1\/otp\/verify$/,
  isRequired: true, fields: [], content: { 'application/json': OtpVerification }, responses: {
    '200': { fields: [], content: { 'application/json': Session } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"listMobiles","method":"GET","template":"/v1/mobiles","isPublic":false}, path: /^\/v1\/mobiles$/,
  isRequired: false, fields: [{"place":"query","name":"search","isList":false},{"place":"query","name":"tagIds","isList":true},{"place":"query","name":"limit","isList":false},{"place":"query","name":"cursor","isList":false}], validateFields: Own1a943924, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': MobilePage } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"lookupMobiles","method":"POST","template":"/v1/mobiles/lookup","isPublic":false}, path: /^\/v1\/mobiles\/lookup$/,
  isRequired: true, fields: [], content: { 'application/json': MobileIds }, responses: {
    '200': { fields: [], content: { 'application/json': MobileIds } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"listTags","method":"GET","template":"/v1/tags","isPublic":false}, path: /^\/v1\/tags$/,
  isRequired: false, fields: [], content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': Tags } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"listUserAccounts","method":"GET","template":"/v1/user-accounts","isPublic":false}, path: /^\/v1\/user-accounts$/,
  isRequired: false, fields: [{"place":"query","name":"limit","isList":false},{"place":"query","name":"cursor","isList":false}], validateFields: Own6d3fd03f, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': UserAccountPage } },
    '401': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"createUserAccount","method":"POST","template":"/v1/user-accounts","isPublic":false}, path: /^\/v1\/user-accounts$/,
  isRequired: true, fields: [{"place":"header","name":"Idempotency-Key","isList":false}], validateFields: Own5a582fbe, content: { 'application/json': UserAccountInput }, responses: {
    '201': { fields: [], content: { 'application/json': CreatedUserAccount } },
    '401': { fields: [], content: { 'application/json': Failure } },
    '409': { fields: [{"place":"headers","name":"Retry-After","isList":false}], validateFields: Own7500c48c, content: { 'application/json': Failure } },
    '422': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"getHealth","method":"GET","template":"/health","isPublic":true}, path: /^\/health$/,
  isRequired: false, fields: [], content: undefined, responses: {
    '200': { fields: [], content: undefined },
    '4XX': { fields: [], content: undefined },
    'default': { fields: [], content: undefined },
  } },
  { ...{"operationId":"getMobile","method":"GET","template":"/v1/mobiles/{id}","isPublic":false}, path: /^\/v1\/mobiles\/(?<id>[^/]+)$/,
  isRequired: false, fields: [{"place":"path","name":"id","isList":false}], validateFields: Own0b8ee3af, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': Mobile } },
    '401': { fields: [], content: { 'application/json': Failure } },
    '404': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"updateMobile","method":"PATCH","template":"/v1/mobiles/{id}","isPublic":false}, path: /^\/v1\/mobiles\/(?<id>[^/]+)$/,
  isRequired: true, fields: [{"place":"path","name":"id","isList":false}], validateFields: Own0b8ee3af, content: { 'application/json': MobilePatch }, responses: {
    '200': { fields: [], content: { 'application/json': Mobile } },
    '401': { fields: [], content: { 'application/json': Failure } },
    '404': { fields: [], content: { 'application/json': Failure } },
    '409': { fields: [], content: { 'application/json': Failure } },
    '422': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"getDrivingRecord","method":"GET","template":"/v1/mobiles/{id}/driving-record","isPublic":false}, path: /^\/v1\/mobiles\/(?<id>[^/]+)\/driving-record$/,
  isRequired: false, fields: [{"place":"path","name":"id","isList":false},{"place":"query","name":"from","isList":false},{"place":"query","name":"to","isList":false}], validateFields: Ownec459aa5, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': DrivingRecord } },
    '401': { fields: [], content: { 'application/json': Failure } },
    '404': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"getUserAccount","method":"GET","template":"/v1/user-accounts/{loginId}","isPublic":false}, path: /^\/v1\/user-accounts\/(?<loginId>[^/]+)$/,
  isRequired: false, fields: [{"place":"path","name":"loginId","isList":false}], validateFields: Own61ae2733, content: undefined, responses: {
    '200': { fields: [], content: { 'application/json': UserAccount } },
    '401': { fields: [], content: { 'application/json': Failure } },
    '404': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"updateUserAccount","method":"PUT","template":"/v1/user-accounts/{loginId}","isPublic":false}, path: /^\/v1\/user-accounts\/(?<loginId>[^/]+)$/,
  isRequired: true, fields: [{"place":"path","name":"loginId","isList":false}], validateFields: Own61ae2733, content: { 'application/json': UserAccountInput }, responses: {
    '200': { fields: [], content: { 'application/json': UserAccount } },
    '401': { fields: [], content: { 'application/json': Failure } },
    '404': { fields: [], content: { 'application/json': Failure } },
    '409': { fields: [], content: { 'application/json': Failure } },
    '422': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
  { ...{"operationId":"deleteUserAccount","method":"DELETE","template":"/v1/user-accounts/{loginId}","isPublic":false}, path: /^\/v1\/user-accounts\/(?<loginId>[^/]+)$/,
  isRequired: false, fields: [{"place":"path","name":"loginId","isList":false}], validateFields: Own61ae2733, content: undefined, responses: {
    '204': { fields: [], content: undefined },
    '401': { fields: [], content: { 'application/json': Failure } },
    '404': { fields: [], content: { 'application/json': Failure } },
    'default': { fields: [], content: { 'application/json': Failure } },
  } },
];
