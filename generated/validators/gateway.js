// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
"use strict";
export const BadInput = validate21;
const schema32 = {"type":"object","required":["message"],"additionalProperties":false,"properties":{"message":{"type":"string"},"errors":{"type":"array","items":{"type":"object","required":["path","message"],"additionalProperties":false,"properties":{"path":{"type":"string","description":"JSON pointer into the body, or the name of a header"},"message":{"type":"string"}}}}}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
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
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema32.required,parentSchema:schema32,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "message") || (key0 === "errors"))){
validate21.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema32,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.message !== undefined){
let data0 = data.message;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate21.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema32.properties.message.type,parentSchema:schema32.properties.message,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data1 = data.errors;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs6 = errors;
if(errors === _errs6){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((data2.path === undefined) && (missing1 = "path")) || ((data2.message === undefined) && (missing1 = "message"))){
validate21.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema32.properties.errors.items.required,parentSchema:schema32.properties.errors.items,data:data2}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data2){
if(!((key1 === "path") || (key1 === "message"))){
validate21.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema32.properties.errors.items,data:data2}];
return false;
break;
}
}
if(_errs8 === errors){
if(data2.path !== undefined){
let data3 = data2.path;
const _errs9 = errors;
if(typeof data3 !== "string"){
validate21.errors = [{instancePath:instancePath+"/errors/" + i0+"/path",schemaPath:"#/properties/errors/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema32.properties.errors.items.properties.path.type,parentSchema:schema32.properties.errors.items.properties.path,data:data3}];
return false;
}
var valid2 = _errs9 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.message !== undefined){
let data4 = data2.message;
const _errs11 = errors;
if(typeof data4 !== "string"){
validate21.errors = [{instancePath:instancePath+"/errors/" + i0+"/message",schemaPath:"#/properties/errors/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema32.properties.errors.items.properties.message.type,parentSchema:schema32.properties.errors.items.properties.message,data:data4}];
return false;
}
var valid2 = _errs11 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema32.properties.errors.items.type,parentSchema:schema32.properties.errors.items,data:data2}];
return false;
}
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema32.properties.errors.type,parentSchema:schema32.properties.errors,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema32.type,parentSchema:schema32,data}];
return false;
}
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const BulkMobileReply = validate22;
const schema33 = {"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"type":"string","enum":["Success","Failure"]},"errors":{"type":"array","description":"Present on failure","items":{"type":"string"}}}};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.status === undefined) && (missing0 = "status")){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema33.required,parentSchema:schema33,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "status") || (key0 === "errors"))){
validate22.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema33,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.status !== undefined){
let data0 = data.status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate22.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema33.properties.status.type,parentSchema:schema33.properties.status,data:data0}];
return false;
}
if(!((data0 === "Success") || (data0 === "Failure"))){
validate22.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema33.properties.status.enum},message:"must be equal to one of the allowed values",schema:schema33.properties.status.enum,parentSchema:schema33.properties.status,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data1 = data.errors;
const _errs4 = errors;
if(errors === _errs4){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs6 = errors;
if(typeof data2 !== "string"){
validate22.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema33.properties.errors.items.type,parentSchema:schema33.properties.errors.items,data:data2}];
return false;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema33.properties.errors.type,parentSchema:schema33.properties.errors,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema33.type,parentSchema:schema33,data}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const BulkMobileRequest = validate23;
const schema34 = {"type":"array","items":{"$ref":"#/components/schemas/MobileUpdate"}};
const schema35 = {"type":"object","required":["id"],"properties":{"id":{"$ref":"#/components/schemas/Identifier","description":"Mobile station identifier"},"num":{"$ref":"#/components/schemas/Text"},"name":{"$ref":"#/components/schemas/Text"},"tagIds":{"description":"Tag identifiers","type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/Identifier"},"x-message":"must be a list of at most 1000 entries"}}};
const schema36 = {"description":"Of a mobile station or a tag","type":"integer","minimum":1,"maximum":2147483647,"x-message":"must be an integer from 1 to 2147483647"};
const schema37 = {"type":"string","maxLength":256,"x-message":"must be text of at most 256 characters"};
const func1 = require("ajv/dist/runtime/ucs2length").default;

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
validate24.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema35.required,parentSchema:schema35,data}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
const _errs1 = errors;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate24.errors = [{instancePath:instancePath+"/id",schemaPath:"#/components/schemas/Identifier/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema36.type,parentSchema:schema36,data:data0}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 2147483647 || isNaN(data0)){
validate24.errors = [{instancePath:instancePath+"/id",schemaPath:"#/components/schemas/Identifier/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647",schema:2147483647,parentSchema:schema36,data:data0}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate24.errors = [{instancePath:instancePath+"/id",schemaPath:"#/components/schemas/Identifier/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema36,data:data0}];
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
if(data.num !== undefined){
let data1 = data.num;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func1(data1) > 256){
validate24.errors = [{instancePath:instancePath+"/num",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data1}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/num",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(func1(data2) > 256){
validate24.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data2}];
return false;
}
}
else {
validate24.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data2}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tagIds !== undefined){
let data3 = data.tagIds;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data3)){
if(data3.length > 1000){
validate24.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema35.properties.tagIds,data:data3}];
return false;
}
else {
var valid4 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs12 = errors;
const _errs13 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate24.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/components/schemas/Identifier/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema36.type,parentSchema:schema36,data:data4}];
return false;
}
if(errors === _errs13){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 2147483647 || isNaN(data4)){
validate24.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/components/schemas/Identifier/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647",schema:2147483647,parentSchema:schema36,data:data4}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate24.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/components/schemas/Identifier/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema36,data:data4}];
return false;
}
}
}
}
var valid4 = _errs12 === errors;
if(!valid4){
break;
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema35.properties.tagIds.type,parentSchema:schema35.properties.tagIds,data:data3}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":{"id":true,"num":true,"name":true,"tagIds":true},"dynamicProps":false,"dynamicItems":false};


function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate24(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.type,parentSchema:schema34,data}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const BulkUserAccountReply = validate26;
const schema40 = {"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"type":"string","enum":["Success","Failure"]},"data":{"type":"object","description":"Present on success, and on failure when accounts were created","required":["created_user_account_id"],"additionalProperties":false,"properties":{"created_user_account_id":{"type":"array","items":{"type":"integer"}}}},"errors":{"type":"array","description":"Present on failure","items":{"type":"string"}}}};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.status === undefined) && (missing0 = "status")){
validate26.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema40.required,parentSchema:schema40,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "status") || (key0 === "data")) || (key0 === "errors"))){
validate26.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema40,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.status !== undefined){
let data0 = data.status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate26.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.status.type,parentSchema:schema40.properties.status,data:data0}];
return false;
}
if(!((data0 === "Success") || (data0 === "Failure"))){
validate26.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema40.properties.status.enum},message:"must be equal to one of the allowed values",schema:schema40.properties.status.enum,parentSchema:schema40.properties.status,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.data !== undefined){
let data1 = data.data;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if((data1.created_user_account_id === undefined) && (missing1 = "created_user_account_id")){
validate26.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema40.properties.data.required,parentSchema:schema40.properties.data,data:data1}];
return false;
}
else {
const _errs6 = errors;
for(const key1 in data1){
if(!(key1 === "created_user_account_id")){
validate26.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema40.properties.data,data:data1}];
return false;
break;
}
}
if(_errs6 === errors){
if(data1.created_user_account_id !== undefined){
let data2 = data1.created_user_account_id;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data2)){
var valid2 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs9 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate26.errors = [{instancePath:instancePath+"/data/created_user_account_id/" + i0,schemaPath:"#/properties/data/properties/created_user_account_id/items/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema40.properties.data.properties.created_user_account_id.items.type,parentSchema:schema40.properties.data.properties.created_user_account_id.items,data:data3}];
return false;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
validate26.errors = [{instancePath:instancePath+"/data/created_user_account_id",schemaPath:"#/properties/data/properties/created_user_account_id/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema40.properties.data.properties.created_user_account_id.type,parentSchema:schema40.properties.data.properties.created_user_account_id,data:data2}];
return false;
}
}
}
}
}
}
else {
validate26.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema40.properties.data.type,parentSchema:schema40.properties.data,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errors !== undefined){
let data4 = data.errors;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data4)){
var valid3 = true;
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
let data5 = data4[i1];
const _errs13 = errors;
if(typeof data5 !== "string"){
validate26.errors = [{instancePath:instancePath+"/errors/" + i1,schemaPath:"#/properties/errors/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.errors.items.type,parentSchema:schema40.properties.errors.items,data:data5}];
return false;
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
else {
validate26.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema40.properties.errors.type,parentSchema:schema40.properties.errors,data:data4}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate26.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema40.type,parentSchema:schema40,data}];
return false;
}
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const BulkUserAccountRequest = validate27;
const schema41 = {"type":"array","items":{"$ref":"#/components/schemas/UserAccountOperation"}};
const schema42 = {"type":"object","required":["type","userAccountInput"],"properties":{"type":{"type":"integer","minimum":0,"maximum":2,"description":"0 = create, 1 = update, 2 = delete"},"userAccountInput":{"$ref":"#/components/schemas/UserAccountInput"}}};
const schema43 = {"type":"object","required":["loginId"],"properties":{"loginId":{"description":"Login identifier","type":"string","minLength":1,"maxLength":256,"x-message":"must be text of 1 to 256 characters"},"password":{"$ref":"#/components/schemas/Text","description":"Required to create"},"name":{"$ref":"#/components/schemas/Text","description":"Display name; required to create"},"isAdmin":{"type":"boolean"},"useChat":{"type":"boolean"},"functionRestriction":{"type":"integer"},"useIndivFilter":{"type":"boolean"},"indivs":{"$ref":"#/components/schemas/FilterEntries"},"useVPTGrpFilter":{"type":"boolean"},"vptGrps":{"$ref":"#/components/schemas/FilterEntries"},"useLandmarkCategoryFilter":{"type":"boolean"},"landmarkCategories":{"$ref":"#/components/schemas/FilterEntries"},"useConnectionLimit":{"type":"boolean"}}};
const schema46 = {"description":"Any JSON values","type":"array","maxItems":1000,"items":{},"x-message":"must be a list of at most 1000 entries"};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.loginId === undefined) && (missing0 = "loginId")){
validate29.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema43.required,parentSchema:schema43,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 256){
validate29.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema43.properties.loginId,data:data0}];
return false;
}
else {
if(func1(data0) < 1){
validate29.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema43.properties.loginId,data:data0}];
return false;
}
}
}
else {
validate29.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema43.properties.loginId.type,parentSchema:schema43.properties.loginId,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.password !== undefined){
let data1 = data.password;
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 256){
validate29.errors = [{instancePath:instancePath+"/password",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data1}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/password",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data1}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func1(data2) > 256){
validate29.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data2}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data2}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isAdmin !== undefined){
let data3 = data.isAdmin;
const _errs9 = errors;
if(typeof data3 !== "boolean"){
validate29.errors = [{instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.isAdmin.type,parentSchema:schema43.properties.isAdmin,data:data3}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useChat !== undefined){
let data4 = data.useChat;
const _errs11 = errors;
if(typeof data4 !== "boolean"){
validate29.errors = [{instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useChat.type,parentSchema:schema43.properties.useChat,data:data4}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.functionRestriction !== undefined){
let data5 = data.functionRestriction;
const _errs13 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate29.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema43.properties.functionRestriction.type,parentSchema:schema43.properties.functionRestriction,data:data5}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useIndivFilter !== undefined){
let data6 = data.useIndivFilter;
const _errs15 = errors;
if(typeof data6 !== "boolean"){
validate29.errors = [{instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useIndivFilter.type,parentSchema:schema43.properties.useIndivFilter,data:data6}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.indivs !== undefined){
let data7 = data.indivs;
const _errs17 = errors;
const _errs18 = errors;
if(errors === _errs18){
if(Array.isArray(data7)){
if(data7.length > 1000){
validate29.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/components/schemas/FilterEntries/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data:data7}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/components/schemas/FilterEntries/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data:data7}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useVPTGrpFilter !== undefined){
let data8 = data.useVPTGrpFilter;
const _errs20 = errors;
if(typeof data8 !== "boolean"){
validate29.errors = [{instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useVPTGrpFilter.type,parentSchema:schema43.properties.useVPTGrpFilter,data:data8}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vptGrps !== undefined){
let data9 = data.vptGrps;
const _errs22 = errors;
const _errs23 = errors;
if(errors === _errs23){
if(Array.isArray(data9)){
if(data9.length > 1000){
validate29.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/components/schemas/FilterEntries/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data:data9}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/components/schemas/FilterEntries/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data:data9}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useLandmarkCategoryFilter !== undefined){
let data10 = data.useLandmarkCategoryFilter;
const _errs25 = errors;
if(typeof data10 !== "boolean"){
validate29.errors = [{instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useLandmarkCategoryFilter.type,parentSchema:schema43.properties.useLandmarkCategoryFilter,data:data10}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.landmarkCategories !== undefined){
let data11 = data.landmarkCategories;
const _errs27 = errors;
const _errs28 = errors;
if(errors === _errs28){
if(Array.isArray(data11)){
if(data11.length > 1000){
validate29.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/components/schemas/FilterEntries/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data:data11}];
return false;
}
}
else {
validate29.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/components/schemas/FilterEntries/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data:data11}];
return false;
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useConnectionLimit !== undefined){
let data12 = data.useConnectionLimit;
const _errs30 = errors;
if(typeof data12 !== "boolean"){
validate29.errors = [{instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useConnectionLimit.type,parentSchema:schema43.properties.useConnectionLimit,data:data12}];
return false;
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate29.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema43.type,parentSchema:schema43,data}];
return false;
}
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":{"loginId":true,"password":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};


function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.userAccountInput === undefined) && (missing0 = "userAccountInput"))){
validate28.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema42.required,parentSchema:schema42,data}];
return false;
}
else {
if(data.type !== undefined){
let data0 = data.type;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate28.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema42.properties.type.type,parentSchema:schema42.properties.type,data:data0}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 2 || isNaN(data0)){
validate28.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2},message:"must be <= 2",schema:2,parentSchema:schema42.properties.type,data:data0}];
return false;
}
else {
if(data0 < 0 || isNaN(data0)){
validate28.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema42.properties.type,data:data0}];
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
if(data.userAccountInput !== undefined){
const _errs3 = errors;
if(!(validate29(data.userAccountInput, {instancePath:instancePath+"/userAccountInput",parentData:data,parentDataProperty:"userAccountInput",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate29.errors : vErrors.concat(validate29.errors);
errors = vErrors.length;
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
validate28.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema42.type,parentSchema:schema42,data}];
return false;
}
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"props":{"type":true,"userAccountInput":true},"dynamicProps":false,"dynamicItems":false};


function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
var valid0 = true;
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
const _errs1 = errors;
if(!(validate28(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
if(!valid0){
break;
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema41.type,parentSchema:schema41,data}];
return false;
}
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const DependencyStatus = validate32;
const schema49 = {"type":"string","enum":["OK","NG"]};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validate32.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data}];
return false;
}
if(!((data === "OK") || (data === "NG"))){
validate32.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data}];
return false;
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const Driver = validate33;
const schema50 = {"type":"object","required":["mobileId","employeeCode","employeeName"],"properties":{"mobileId":{"type":"string","minLength":1,"maxLength":128,"x-message":"must be text of 1 to 128 characters"},"employeeCode":{"$ref":"#/components/schemas/Text"},"employeeName":{"$ref":"#/components/schemas/Text"}}};

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate33.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.mobileId === undefined) && (missing0 = "mobileId")) || ((data.employeeCode === undefined) && (missing0 = "employeeCode"))) || ((data.employeeName === undefined) && (missing0 = "employeeName"))){
validate33.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema50.required,parentSchema:schema50,data}];
return false;
}
else {
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 128){
validate33.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters",schema:128,parentSchema:schema50.properties.mobileId,data:data0}];
return false;
}
else {
if(func1(data0) < 1){
validate33.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema50.properties.mobileId,data:data0}];
return false;
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema50.properties.mobileId.type,parentSchema:schema50.properties.mobileId,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.employeeCode !== undefined){
let data1 = data.employeeCode;
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 256){
validate33.errors = [{instancePath:instancePath+"/employeeCode",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data1}];
return false;
}
}
else {
validate33.errors = [{instancePath:instancePath+"/employeeCode",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data1}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.employeeName !== undefined){
let data2 = data.employeeName;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func1(data2) > 256){
validate33.errors = [{instancePath:instancePath+"/employeeName",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data2}];
return false;
}
}
else {
validate33.errors = [{instancePath:instancePath+"/employeeName",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data2}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate33.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema50.type,parentSchema:schema50,data}];
return false;
}
}
validate33.errors = vErrors;
return errors === 0;
}
validate33.evaluated = {"props":{"mobileId":true,"employeeCode":true,"employeeName":true},"dynamicProps":false,"dynamicItems":false};

export const DriverError = validate34;
const schema53 = {"type":"object","required":["mobileId","employeeCode","code","message"],"additionalProperties":false,"properties":{"mobileId":{"type":"string"},"employeeCode":{"type":"string"},"code":{"type":"string","enum":["NotFound","Forbidden","BadInput","ServiceUnavailable","InternalError"]},"message":{"type":"string"}}};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.mobileId === undefined) && (missing0 = "mobileId")) || ((data.employeeCode === undefined) && (missing0 = "employeeCode"))) || ((data.code === undefined) && (missing0 = "code"))) || ((data.message === undefined) && (missing0 = "message"))){
validate34.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema53.required,parentSchema:schema53,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "mobileId") || (key0 === "employeeCode")) || (key0 === "code")) || (key0 === "message"))){
validate34.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema53,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate34.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.mobileId.type,parentSchema:schema53.properties.mobileId,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.employeeCode !== undefined){
let data1 = data.employeeCode;
const _errs4 = errors;
if(typeof data1 !== "string"){
validate34.errors = [{instancePath:instancePath+"/employeeCode",schemaPath:"#/properties/employeeCode/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.employeeCode.type,parentSchema:schema53.properties.employeeCode,data:data1}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code !== undefined){
let data2 = data.code;
const _errs6 = errors;
if(typeof data2 !== "string"){
validate34.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.code.type,parentSchema:schema53.properties.code,data:data2}];
return false;
}
if(!(((((data2 === "NotFound") || (data2 === "Forbidden")) || (data2 === "BadInput")) || (data2 === "ServiceUnavailable")) || (data2 === "InternalError"))){
validate34.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/enum",keyword:"enum",params:{allowedValues: schema53.properties.code.enum},message:"must be equal to one of the allowed values",schema:schema53.properties.code.enum,parentSchema:schema53.properties.code,data:data2}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.message !== undefined){
let data3 = data.message;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate34.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.message.type,parentSchema:schema53.properties.message,data:data3}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate34.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema53.type,parentSchema:schema53,data}];
return false;
}
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const DrivingReportReply = validate35;
const schema54 = {"type":"object","required":["key","errorList"],"additionalProperties":false,"properties":{"key":{"type":"string","description":"Object key of the PDF"},"errorList":{"oneOf":[{"type":"array","minItems":1,"items":{"$ref":"#/components/schemas/DriverError"}},{"type":"null"}]}}};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.key === undefined) && (missing0 = "key")) || ((data.errorList === undefined) && (missing0 = "errorList"))){
validate35.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema54.required,parentSchema:schema54,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "key") || (key0 === "errorList"))){
validate35.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema54,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.key !== undefined){
let data0 = data.key;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate35.errors = [{instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema54.properties.key.type,parentSchema:schema54.properties.key,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.errorList !== undefined){
let data1 = data.errorList;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
let passing0 = null;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data1)){
if(data1.length < 1){
const err0 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf/0/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema54.properties.errorList.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
var valid2 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs8 = errors;
const _errs9 = errors;
if(errors === _errs9){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((((data2.mobileId === undefined) && (missing1 = "mobileId")) || ((data2.employeeCode === undefined) && (missing1 = "employeeCode"))) || ((data2.code === undefined) && (missing1 = "code"))) || ((data2.message === undefined) && (missing1 = "message"))){
const err1 = {instancePath:instancePath+"/errorList/" + i0,schemaPath:"#/components/schemas/DriverError/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema53.required,parentSchema:schema53,data:data2};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
const _errs11 = errors;
for(const key1 in data2){
if(!((((key1 === "mobileId") || (key1 === "employeeCode")) || (key1 === "code")) || (key1 === "message"))){
const err2 = {instancePath:instancePath+"/errorList/" + i0,schemaPath:"#/components/schemas/DriverError/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema53,data:data2};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
break;
}
}
if(_errs11 === errors){
if(data2.mobileId !== undefined){
let data3 = data2.mobileId;
const _errs12 = errors;
if(typeof data3 !== "string"){
const err3 = {instancePath:instancePath+"/errorList/" + i0+"/mobileId",schemaPath:"#/components/schemas/DriverError/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.mobileId.type,parentSchema:schema53.properties.mobileId,data:data3};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var valid4 = _errs12 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data2.employeeCode !== undefined){
let data4 = data2.employeeCode;
const _errs14 = errors;
if(typeof data4 !== "string"){
const err4 = {instancePath:instancePath+"/errorList/" + i0+"/employeeCode",schemaPath:"#/components/schemas/DriverError/properties/employeeCode/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.employeeCode.type,parentSchema:schema53.properties.employeeCode,data:data4};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var valid4 = _errs14 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data2.code !== undefined){
let data5 = data2.code;
const _errs16 = errors;
if(typeof data5 !== "string"){
const err5 = {instancePath:instancePath+"/errorList/" + i0+"/code",schemaPath:"#/components/schemas/DriverError/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.code.type,parentSchema:schema53.properties.code,data:data5};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((data5 === "NotFound") || (data5 === "Forbidden")) || (data5 === "BadInput")) || (data5 === "ServiceUnavailable")) || (data5 === "InternalError"))){
const err6 = {instancePath:instancePath+"/errorList/" + i0+"/code",schemaPath:"#/components/schemas/DriverError/properties/code/enum",keyword:"enum",params:{allowedValues: schema53.properties.code.enum},message:"must be equal to one of the allowed values",schema:schema53.properties.code.enum,parentSchema:schema53.properties.code,data:data5};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid4 = _errs16 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data2.message !== undefined){
let data6 = data2.message;
const _errs18 = errors;
if(typeof data6 !== "string"){
const err7 = {instancePath:instancePath+"/errorList/" + i0+"/message",schemaPath:"#/components/schemas/DriverError/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema53.properties.message.type,parentSchema:schema53.properties.message,data:data6};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var valid4 = _errs18 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
}
else {
const err8 = {instancePath:instancePath+"/errorList/" + i0,schemaPath:"#/components/schemas/DriverError/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema53.type,parentSchema:schema53,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var valid2 = _errs8 === errors;
if(!valid2){
break;
}
}
}
}
else {
const err9 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf/0/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema54.properties.errorList.oneOf[0].type,parentSchema:schema54.properties.errorList.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
var _valid0 = _errs6 === errors;
if(_valid0){
valid1 = true;
passing0 = 0;
}
const _errs20 = errors;
if(data1 !== null){
const err10 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf/1/type",keyword:"type",params:{type: "null"},message:"must be null",schema:schema54.properties.errorList.oneOf[1].type,parentSchema:schema54.properties.errorList.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid0 = _errs20 === errors;
if(_valid0 && valid1){
valid1 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid1 = true;
passing0 = 1;
}
}
if(!valid1){
const err11 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema54.properties.errorList.oneOf,parentSchema:schema54.properties.errorList,data:data1};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
validate35.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema54.type,parentSchema:schema54,data}];
return false;
}
}
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const DrivingReportRequest = validate36;
const schema56 = {"type":"object","required":["date","drivers"],"properties":{"date":{"$ref":"#/components/schemas/ReportDate"},"drivers":{"type":"array","items":{"$ref":"#/components/schemas/Driver"}}}};
const schema57 = {"description":"The driving day is the calendar day of this timestamp in its own UTC offset","allOf":[{"description":"RFC 3339","type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$","x-message":"must be a timestamp such as 2026-11-20T00:00:00+09:00, seconds from 00 to 59, with Z or an offset"},{"description":"A day of the calendar","type":"string","pattern":"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T","x-message":"must be a date of the calendar; this one does not exist"},{"description":"A day whose beginning and end can be written as a timestamp in any offset","type":"string","pattern":"^(?!0000-|0001-01-01|9999-12-31)","x-message":"must be from 0001-01-02 to 9999-12-30"}]};
const pattern4 = new RegExp("^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$", "u");
const pattern5 = new RegExp("^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T", "u");
const pattern6 = new RegExp("^(?!0000-|0001-01-01|9999-12-31)", "u");

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.date === undefined) && (missing0 = "date")) || ((data.drivers === undefined) && (missing0 = "drivers"))){
validate36.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema56.required,parentSchema:schema56,data}];
return false;
}
else {
if(data.date !== undefined){
let data0 = data.date;
const _errs1 = errors;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
validate36.errors = [{instancePath:instancePath+"/date",schemaPath:"#/components/schemas/ReportDate/allOf/0/pattern",keyword:"pattern",params:{pattern: "^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"},message:"must match pattern \""+"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"+"\"",schema:"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$",parentSchema:schema57.allOf[0],data:data0}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/date",schemaPath:"#/components/schemas/ReportDate/allOf/0/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.allOf[0].type,parentSchema:schema57.allOf[0],data:data0}];
return false;
}
}
var valid2 = _errs3 === errors;
if(valid2){
const _errs5 = errors;
if(errors === _errs5){
if(typeof data0 === "string"){
if(!pattern5.test(data0)){
validate36.errors = [{instancePath:instancePath+"/date",schemaPath:"#/components/schemas/ReportDate/allOf/1/pattern",keyword:"pattern",params:{pattern: "^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T"},message:"must match pattern \""+"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T"+"\"",schema:"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T",parentSchema:schema57.allOf[1],data:data0}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/date",schemaPath:"#/components/schemas/ReportDate/allOf/1/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.allOf[1].type,parentSchema:schema57.allOf[1],data:data0}];
return false;
}
}
var valid2 = _errs5 === errors;
if(valid2){
const _errs7 = errors;
if(errors === _errs7){
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
validate36.errors = [{instancePath:instancePath+"/date",schemaPath:"#/components/schemas/ReportDate/allOf/2/pattern",keyword:"pattern",params:{pattern: "^(?!0000-|0001-01-01|9999-12-31)"},message:"must match pattern \""+"^(?!0000-|0001-01-01|9999-12-31)"+"\"",schema:"^(?!0000-|0001-01-01|9999-12-31)",parentSchema:schema57.allOf[2],data:data0}];
return false;
}
}
else {
validate36.errors = [{instancePath:instancePath+"/date",schemaPath:"#/components/schemas/ReportDate/allOf/2/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.allOf[2].type,parentSchema:schema57.allOf[2],data:data0}];
return false;
}
}
var valid2 = _errs7 === errors;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.drivers !== undefined){
let data1 = data.drivers;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data1)){
var valid3 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs11 = errors;
if(!(validate33(data1[i0], {instancePath:instancePath+"/drivers/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate33.errors : vErrors.concat(validate33.errors);
errors = vErrors.length;
}
var valid3 = _errs11 === errors;
if(!valid3){
break;
}
}
}
else {
validate36.errors = [{instancePath:instancePath+"/drivers",schemaPath:"#/properties/drivers/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema56.properties.drivers.type,parentSchema:schema56.properties.drivers,data:data1}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate36.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema56.type,parentSchema:schema56,data}];
return false;
}
}
validate36.errors = vErrors;
return errors === 0;
}
validate36.evaluated = {"props":{"date":true,"drivers":true},"dynamicProps":false,"dynamicItems":false};

export const Failure = validate38;
const schema58 = {"type":"object","required":["message"],"additionalProperties":false,"properties":{"message":{"type":"string"}}};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
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
validate38.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema58.required,parentSchema:schema58,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "message")){
validate38.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema58,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.message !== undefined){
let data0 = data.message;
if(typeof data0 !== "string"){
validate38.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema58.properties.message.type,parentSchema:schema58.properties.message,data:data0}];
return false;
}
}
}
}
}
else {
validate38.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema58.type,parentSchema:schema58,data}];
return false;
}
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const FilterEntries = validate39;

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate39.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(Array.isArray(data)){
if(data.length > 1000){
validate39.errors = [{instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data}];
return false;
}
}
else {
validate39.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data}];
return false;
}
}
validate39.errors = vErrors;
return errors === 0;
}
validate39.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};

export const Identifier = validate40;

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate40.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
validate40.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema36.type,parentSchema:schema36,data}];
return false;
}
if(errors === 0){
if((typeof data == "number") && (isFinite(data))){
if(data > 2147483647 || isNaN(data)){
validate40.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647",schema:2147483647,parentSchema:schema36,data}];
return false;
}
else {
if(data < 1 || isNaN(data)){
validate40.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema36,data}];
return false;
}
}
}
}
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const JobId = validate41;
const schema61 = {"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$","x-message":"must be 1 to 128 of the characters A-Z a-z 0-9 . _ : -"};
const pattern7 = new RegExp("^[A-Za-z0-9._:-]{1,128}$", "u");

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate41.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern7.test(data)){
validate41.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._:-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._:-]{1,128}$"+"\"",schema:"^[A-Za-z0-9._:-]{1,128}$",parentSchema:schema61,data}];
return false;
}
}
else {
validate41.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema61.type,parentSchema:schema61,data}];
return false;
}
}
validate41.errors = vErrors;
return errors === 0;
}
validate41.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const Jwk = validate42;
const schema62 = {"type":"object","required":["alg","kty","use","kid","n","e"],"additionalProperties":false,"properties":{"alg":{"type":"string","const":"RS256"},"kty":{"type":"string","const":"RSA"},"use":{"type":"string","const":"sig"},"kid":{"type":"string","minLength":1},"n":{"type":"string","pattern":"^[A-Za-z0-9_-]+$"},"e":{"type":"string","pattern":"^[A-Za-z0-9_-]+$"}}};
const pattern8 = new RegExp("^[A-Za-z0-9_-]+$", "u");

function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate42.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.alg === undefined) && (missing0 = "alg")) || ((data.kty === undefined) && (missing0 = "kty"))) || ((data.use === undefined) && (missing0 = "use"))) || ((data.kid === undefined) && (missing0 = "kid"))) || ((data.n === undefined) && (missing0 = "n"))) || ((data.e === undefined) && (missing0 = "e"))){
validate42.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema62.required,parentSchema:schema62,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "alg") || (key0 === "kty")) || (key0 === "use")) || (key0 === "kid")) || (key0 === "n")) || (key0 === "e"))){
validate42.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema62,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.alg !== undefined){
let data0 = data.alg;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate42.errors = [{instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.alg.type,parentSchema:schema62.properties.alg,data:data0}];
return false;
}
if("RS256" !== data0){
validate42.errors = [{instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/const",keyword:"const",params:{allowedValue: "RS256"},message:"must be equal to constant",schema:"RS256",parentSchema:schema62.properties.alg,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kty !== undefined){
let data1 = data.kty;
const _errs4 = errors;
if(typeof data1 !== "string"){
validate42.errors = [{instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.kty.type,parentSchema:schema62.properties.kty,data:data1}];
return false;
}
if("RSA" !== data1){
validate42.errors = [{instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/const",keyword:"const",params:{allowedValue: "RSA"},message:"must be equal to constant",schema:"RSA",parentSchema:schema62.properties.kty,data:data1}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.use !== undefined){
let data2 = data.use;
const _errs6 = errors;
if(typeof data2 !== "string"){
validate42.errors = [{instancePath:instancePath+"/use",schemaPath:"#/properties/use/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.use.type,parentSchema:schema62.properties.use,data:data2}];
return false;
}
if("sig" !== data2){
validate42.errors = [{instancePath:instancePath+"/use",schemaPath:"#/properties/use/const",keyword:"const",params:{allowedValue: "sig"},message:"must be equal to constant",schema:"sig",parentSchema:schema62.properties.use,data:data2}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kid !== undefined){
let data3 = data.kid;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(func1(data3) < 1){
validate42.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema62.properties.kid,data:data3}];
return false;
}
}
else {
validate42.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.kid.type,parentSchema:schema62.properties.kid,data:data3}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.n !== undefined){
let data4 = data.n;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(!pattern8.test(data4)){
validate42.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\"",schema:"^[A-Za-z0-9_-]+$",parentSchema:schema62.properties.n,data:data4}];
return false;
}
}
else {
validate42.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.n.type,parentSchema:schema62.properties.n,data:data4}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.e !== undefined){
let data5 = data.e;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data5 === "string"){
if(!pattern8.test(data5)){
validate42.errors = [{instancePath:instancePath+"/e",schemaPath:"#/properties/e/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\"",schema:"^[A-Za-z0-9_-]+$",parentSchema:schema62.properties.e,data:data5}];
return false;
}
}
else {
validate42.errors = [{instancePath:instancePath+"/e",schemaPath:"#/properties/e/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.e.type,parentSchema:schema62.properties.e,data:data5}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
else {
validate42.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema62.type,parentSchema:schema62,data}];
return false;
}
}
validate42.errors = vErrors;
return errors === 0;
}
validate42.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Jwks = validate43;
const schema63 = {"type":"object","required":["keys"],"additionalProperties":false,"properties":{"keys":{"type":"array","items":{"$ref":"#/components/schemas/Jwk"}}}};

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate43.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.keys === undefined) && (missing0 = "keys")){
validate43.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema63.required,parentSchema:schema63,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "keys")){
validate43.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema63,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.keys !== undefined){
let data0 = data.keys;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((((((data1.alg === undefined) && (missing1 = "alg")) || ((data1.kty === undefined) && (missing1 = "kty"))) || ((data1.use === undefined) && (missing1 = "use"))) || ((data1.kid === undefined) && (missing1 = "kid"))) || ((data1.n === undefined) && (missing1 = "n"))) || ((data1.e === undefined) && (missing1 = "e"))){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0,schemaPath:"#/components/schemas/Jwk/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema62.required,parentSchema:schema62,data:data1}];
return false;
}
else {
const _errs7 = errors;
for(const key1 in data1){
if(!((((((key1 === "alg") || (key1 === "kty")) || (key1 === "use")) || (key1 === "kid")) || (key1 === "n")) || (key1 === "e"))){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0,schemaPath:"#/components/schemas/Jwk/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema62,data:data1}];
return false;
break;
}
}
if(_errs7 === errors){
if(data1.alg !== undefined){
let data2 = data1.alg;
const _errs8 = errors;
if(typeof data2 !== "string"){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/alg",schemaPath:"#/components/schemas/Jwk/properties/alg/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.alg.type,parentSchema:schema62.properties.alg,data:data2}];
return false;
}
if("RS256" !== data2){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/alg",schemaPath:"#/components/schemas/Jwk/properties/alg/const",keyword:"const",params:{allowedValue: "RS256"},message:"must be equal to constant",schema:"RS256",parentSchema:schema62.properties.alg,data:data2}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.kty !== undefined){
let data3 = data1.kty;
const _errs10 = errors;
if(typeof data3 !== "string"){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/kty",schemaPath:"#/components/schemas/Jwk/properties/kty/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.kty.type,parentSchema:schema62.properties.kty,data:data3}];
return false;
}
if("RSA" !== data3){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/kty",schemaPath:"#/components/schemas/Jwk/properties/kty/const",keyword:"const",params:{allowedValue: "RSA"},message:"must be equal to constant",schema:"RSA",parentSchema:schema62.properties.kty,data:data3}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.use !== undefined){
let data4 = data1.use;
const _errs12 = errors;
if(typeof data4 !== "string"){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/use",schemaPath:"#/components/schemas/Jwk/properties/use/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.use.type,parentSchema:schema62.properties.use,data:data4}];
return false;
}
if("sig" !== data4){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/use",schemaPath:"#/components/schemas/Jwk/properties/use/const",keyword:"const",params:{allowedValue: "sig"},message:"must be equal to constant",schema:"sig",parentSchema:schema62.properties.use,data:data4}];
return false;
}
var valid3 = _errs12 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.kid !== undefined){
let data5 = data1.kid;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data5 === "string"){
if(func1(data5) < 1){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/kid",schemaPath:"#/components/schemas/Jwk/properties/kid/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema62.properties.kid,data:data5}];
return false;
}
}
else {
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/kid",schemaPath:"#/components/schemas/Jwk/properties/kid/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.kid.type,parentSchema:schema62.properties.kid,data:data5}];
return false;
}
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.n !== undefined){
let data6 = data1.n;
const _errs16 = errors;
if(errors === _errs16){
if(typeof data6 === "string"){
if(!pattern8.test(data6)){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/n",schemaPath:"#/components/schemas/Jwk/properties/n/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\"",schema:"^[A-Za-z0-9_-]+$",parentSchema:schema62.properties.n,data:data6}];
return false;
}
}
else {
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/n",schemaPath:"#/components/schemas/Jwk/properties/n/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.n.type,parentSchema:schema62.properties.n,data:data6}];
return false;
}
}
var valid3 = _errs16 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.e !== undefined){
let data7 = data1.e;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data7 === "string"){
if(!pattern8.test(data7)){
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/e",schemaPath:"#/components/schemas/Jwk/properties/e/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\"",schema:"^[A-Za-z0-9_-]+$",parentSchema:schema62.properties.e,data:data7}];
return false;
}
}
else {
validate43.errors = [{instancePath:instancePath+"/keys/" + i0+"/e",schemaPath:"#/components/schemas/Jwk/properties/e/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema62.properties.e.type,parentSchema:schema62.properties.e,data:data7}];
return false;
}
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
}
else {
validate43.errors = [{instancePath:instancePath+"/keys/" + i0,schemaPath:"#/components/schemas/Jwk/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema62.type,parentSchema:schema62,data:data1}];
return false;
}
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate43.errors = [{instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema63.properties.keys.type,parentSchema:schema63.properties.keys,data:data0}];
return false;
}
}
}
}
}
}
else {
validate43.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema63.type,parentSchema:schema63,data}];
return false;
}
}
validate43.errors = vErrors;
return errors === 0;
}
validate43.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Liveness = validate44;
const schema65 = {"type":"object","required":["Status"],"additionalProperties":false,"properties":{"Status":{"type":"string","const":"OK"}}};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate44.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.Status === undefined) && (missing0 = "Status")){
validate44.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema65.required,parentSchema:schema65,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "Status")){
validate44.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema65,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.Status !== undefined){
let data0 = data.Status;
if(typeof data0 !== "string"){
validate44.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema65.properties.Status.type,parentSchema:schema65.properties.Status,data:data0}];
return false;
}
if("OK" !== data0){
validate44.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/const",keyword:"const",params:{allowedValue: "OK"},message:"must be equal to constant",schema:"OK",parentSchema:schema65.properties.Status,data:data0}];
return false;
}
}
}
}
}
else {
validate44.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema65.type,parentSchema:schema65,data}];
return false;
}
}
validate44.errors = vErrors;
return errors === 0;
}
validate44.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const MobileUpdate = validate45;

function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate45.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
validate45.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema35.required,parentSchema:schema35,data}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
const _errs1 = errors;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate45.errors = [{instancePath:instancePath+"/id",schemaPath:"#/components/schemas/Identifier/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema36.type,parentSchema:schema36,data:data0}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 2147483647 || isNaN(data0)){
validate45.errors = [{instancePath:instancePath+"/id",schemaPath:"#/components/schemas/Identifier/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647",schema:2147483647,parentSchema:schema36,data:data0}];
return false;
}
else {
if(data0 < 1 || isNaN(data0)){
validate45.errors = [{instancePath:instancePath+"/id",schemaPath:"#/components/schemas/Identifier/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema36,data:data0}];
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
if(data.num !== undefined){
let data1 = data.num;
const _errs4 = errors;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data1 === "string"){
if(func1(data1) > 256){
validate45.errors = [{instancePath:instancePath+"/num",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data1}];
return false;
}
}
else {
validate45.errors = [{instancePath:instancePath+"/num",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs7 = errors;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data2 === "string"){
if(func1(data2) > 256){
validate45.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data2}];
return false;
}
}
else {
validate45.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data2}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tagIds !== undefined){
let data3 = data.tagIds;
const _errs10 = errors;
if(errors === _errs10){
if(Array.isArray(data3)){
if(data3.length > 1000){
validate45.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema35.properties.tagIds,data:data3}];
return false;
}
else {
var valid4 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs12 = errors;
const _errs13 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate45.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/components/schemas/Identifier/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema36.type,parentSchema:schema36,data:data4}];
return false;
}
if(errors === _errs13){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 2147483647 || isNaN(data4)){
validate45.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/components/schemas/Identifier/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647},message:"must be <= 2147483647",schema:2147483647,parentSchema:schema36,data:data4}];
return false;
}
else {
if(data4 < 1 || isNaN(data4)){
validate45.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/components/schemas/Identifier/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema36,data:data4}];
return false;
}
}
}
}
var valid4 = _errs12 === errors;
if(!valid4){
break;
}
}
}
}
else {
validate45.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema35.properties.tagIds.type,parentSchema:schema35.properties.tagIds,data:data3}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate45.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data}];
return false;
}
}
validate45.errors = vErrors;
return errors === 0;
}
validate45.evaluated = {"props":{"id":true,"num":true,"name":true,"tagIds":true},"dynamicProps":false,"dynamicItems":false};

export const OrgId = validate46;
const schema71 = {"description":"Organisation code, not blank; in a header it is percent-encoded UTF-8 when it holds anything but visible ASCII. As `encodeURIComponent` writes it, with `.` as `%2E`, it has at most 512 bytes","type":"string","minLength":1,"maxLength":256};

function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate46.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 256){
validate46.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema71,data}];
return false;
}
else {
if(func1(data) < 1){
validate46.errors = [{instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema71,data}];
return false;
}
}
}
else {
validate46.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema71.type,parentSchema:schema71,data}];
return false;
}
}
validate46.errors = vErrors;
return errors === 0;
}
validate46.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const Readiness = validate47;
const schema72 = {"type":"object","required":["Status","Items","Stores"],"additionalProperties":false,"properties":{"Status":{"type":"string","enum":["OK","NG"],"description":"NG when a dependency or a store is"},"Items":{"type":"object","required":["geo-api","backend-api","voip-api"],"additionalProperties":false,"properties":{"geo-api":{"$ref":"#/components/schemas/DependencyStatus"},"backend-api":{"$ref":"#/components/schemas/DependencyStatus"},"voip-api":{"$ref":"#/components/schemas/DependencyStatus"}}},"Stores":{"type":"object","description":"What the gateway keeps things in; written to once a minute, asked for an answer otherwise","required":["job-store","queue","object-store"],"additionalProperties":false,"properties":{"job-store":{"$ref":"#/components/schemas/DependencyStatus"},"queue":{"$ref":"#/components/schemas/DependencyStatus"},"object-store":{"$ref":"#/components/schemas/DependencyStatus"}}}}};

function validate47(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate47.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.Status === undefined) && (missing0 = "Status")) || ((data.Items === undefined) && (missing0 = "Items"))) || ((data.Stores === undefined) && (missing0 = "Stores"))){
validate47.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema72.required,parentSchema:schema72,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "Status") || (key0 === "Items")) || (key0 === "Stores"))){
validate47.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema72,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.Status !== undefined){
let data0 = data.Status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema72.properties.Status.type,parentSchema:schema72.properties.Status,data:data0}];
return false;
}
if(!((data0 === "OK") || (data0 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/enum",keyword:"enum",params:{allowedValues: schema72.properties.Status.enum},message:"must be equal to one of the allowed values",schema:schema72.properties.Status.enum,parentSchema:schema72.properties.Status,data:data0}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.Items !== undefined){
let data1 = data.Items;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if((((data1["geo-api"] === undefined) && (missing1 = "geo-api")) || ((data1["backend-api"] === undefined) && (missing1 = "backend-api"))) || ((data1["voip-api"] === undefined) && (missing1 = "voip-api"))){
validate47.errors = [{instancePath:instancePath+"/Items",schemaPath:"#/properties/Items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema72.properties.Items.required,parentSchema:schema72.properties.Items,data:data1}];
return false;
}
else {
const _errs6 = errors;
for(const key1 in data1){
if(!(((key1 === "geo-api") || (key1 === "backend-api")) || (key1 === "voip-api"))){
validate47.errors = [{instancePath:instancePath+"/Items",schemaPath:"#/properties/Items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema72.properties.Items,data:data1}];
return false;
break;
}
}
if(_errs6 === errors){
if(data1["geo-api"] !== undefined){
let data2 = data1["geo-api"];
const _errs7 = errors;
if(typeof data2 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Items/geo-api",schemaPath:"#/components/schemas/DependencyStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data:data2}];
return false;
}
if(!((data2 === "OK") || (data2 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Items/geo-api",schemaPath:"#/components/schemas/DependencyStatus/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data:data2}];
return false;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1["backend-api"] !== undefined){
let data3 = data1["backend-api"];
const _errs10 = errors;
if(typeof data3 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Items/backend-api",schemaPath:"#/components/schemas/DependencyStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data:data3}];
return false;
}
if(!((data3 === "OK") || (data3 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Items/backend-api",schemaPath:"#/components/schemas/DependencyStatus/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data:data3}];
return false;
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1["voip-api"] !== undefined){
let data4 = data1["voip-api"];
const _errs13 = errors;
if(typeof data4 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Items/voip-api",schemaPath:"#/components/schemas/DependencyStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data:data4}];
return false;
}
if(!((data4 === "OK") || (data4 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Items/voip-api",schemaPath:"#/components/schemas/DependencyStatus/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data:data4}];
return false;
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
else {
validate47.errors = [{instancePath:instancePath+"/Items",schemaPath:"#/properties/Items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema72.properties.Items.type,parentSchema:schema72.properties.Items,data:data1}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.Stores !== undefined){
let data5 = data.Stores;
const _errs16 = errors;
if(errors === _errs16){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing2;
if((((data5["job-store"] === undefined) && (missing2 = "job-store")) || ((data5.queue === undefined) && (missing2 = "queue"))) || ((data5["object-store"] === undefined) && (missing2 = "object-store"))){
validate47.errors = [{instancePath:instancePath+"/Stores",schemaPath:"#/properties/Stores/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'",schema:schema72.properties.Stores.required,parentSchema:schema72.properties.Stores,data:data5}];
return false;
}
else {
const _errs18 = errors;
for(const key2 in data5){
if(!(((key2 === "job-store") || (key2 === "queue")) || (key2 === "object-store"))){
validate47.errors = [{instancePath:instancePath+"/Stores",schemaPath:"#/properties/Stores/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema72.properties.Stores,data:data5}];
return false;
break;
}
}
if(_errs18 === errors){
if(data5["job-store"] !== undefined){
let data6 = data5["job-store"];
const _errs19 = errors;
if(typeof data6 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Stores/job-store",schemaPath:"#/components/schemas/DependencyStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data:data6}];
return false;
}
if(!((data6 === "OK") || (data6 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Stores/job-store",schemaPath:"#/components/schemas/DependencyStatus/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data:data6}];
return false;
}
var valid5 = _errs19 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data5.queue !== undefined){
let data7 = data5.queue;
const _errs22 = errors;
if(typeof data7 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Stores/queue",schemaPath:"#/components/schemas/DependencyStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data:data7}];
return false;
}
if(!((data7 === "OK") || (data7 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Stores/queue",schemaPath:"#/components/schemas/DependencyStatus/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data:data7}];
return false;
}
var valid5 = _errs22 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data5["object-store"] !== undefined){
let data8 = data5["object-store"];
const _errs25 = errors;
if(typeof data8 !== "string"){
validate47.errors = [{instancePath:instancePath+"/Stores/object-store",schemaPath:"#/components/schemas/DependencyStatus/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.type,parentSchema:schema49,data:data8}];
return false;
}
if(!((data8 === "OK") || (data8 === "NG"))){
validate47.errors = [{instancePath:instancePath+"/Stores/object-store",schemaPath:"#/components/schemas/DependencyStatus/enum",keyword:"enum",params:{allowedValues: schema49.enum},message:"must be equal to one of the allowed values",schema:schema49.enum,parentSchema:schema49,data:data8}];
return false;
}
var valid5 = _errs25 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
else {
validate47.errors = [{instancePath:instancePath+"/Stores",schemaPath:"#/properties/Stores/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema72.properties.Stores.type,parentSchema:schema72.properties.Stores,data:data5}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate47.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema72.type,parentSchema:schema72,data}];
return false;
}
}
validate47.errors = vErrors;
return errors === 0;
}
validate47.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const ReportDate = validate48;

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate48.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
if(errors === _errs0){
if(typeof data === "string"){
if(!pattern4.test(data)){
validate48.errors = [{instancePath,schemaPath:"#/allOf/0/pattern",keyword:"pattern",params:{pattern: "^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"},message:"must match pattern \""+"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"+"\"",schema:"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$",parentSchema:schema57.allOf[0],data}];
return false;
}
}
else {
validate48.errors = [{instancePath,schemaPath:"#/allOf/0/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.allOf[0].type,parentSchema:schema57.allOf[0],data}];
return false;
}
}
var valid0 = _errs0 === errors;
if(valid0){
const _errs2 = errors;
if(errors === _errs2){
if(typeof data === "string"){
if(!pattern5.test(data)){
validate48.errors = [{instancePath,schemaPath:"#/allOf/1/pattern",keyword:"pattern",params:{pattern: "^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T"},message:"must match pattern \""+"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T"+"\"",schema:"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T",parentSchema:schema57.allOf[1],data}];
return false;
}
}
else {
validate48.errors = [{instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.allOf[1].type,parentSchema:schema57.allOf[1],data}];
return false;
}
}
var valid0 = _errs2 === errors;
if(valid0){
const _errs4 = errors;
if(errors === _errs4){
if(typeof data === "string"){
if(!pattern6.test(data)){
validate48.errors = [{instancePath,schemaPath:"#/allOf/2/pattern",keyword:"pattern",params:{pattern: "^(?!0000-|0001-01-01|9999-12-31)"},message:"must match pattern \""+"^(?!0000-|0001-01-01|9999-12-31)"+"\"",schema:"^(?!0000-|0001-01-01|9999-12-31)",parentSchema:schema57.allOf[2],data}];
return false;
}
}
else {
validate48.errors = [{instancePath,schemaPath:"#/allOf/2/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.allOf[2].type,parentSchema:schema57.allOf[2],data}];
return false;
}
}
var valid0 = _errs4 === errors;
}
}
validate48.errors = vErrors;
return errors === 0;
}
validate48.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const Text = validate49;

function validate49(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate49.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(func1(data) > 256){
validate49.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data}];
return false;
}
}
else {
validate49.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data}];
return false;
}
}
validate49.errors = vErrors;
return errors === 0;
}
validate49.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const UserAccountInput = validate50;

function validate50(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate50.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.loginId === undefined) && (missing0 = "loginId")){
validate50.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema43.required,parentSchema:schema43,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) > 256){
validate50.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema43.properties.loginId,data:data0}];
return false;
}
else {
if(func1(data0) < 1){
validate50.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema43.properties.loginId,data:data0}];
return false;
}
}
}
else {
validate50.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema43.properties.loginId.type,parentSchema:schema43.properties.loginId,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.password !== undefined){
let data1 = data.password;
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(func1(data1) > 256){
validate50.errors = [{instancePath:instancePath+"/password",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data1}];
return false;
}
}
else {
validate50.errors = [{instancePath:instancePath+"/password",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data1}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs6 = errors;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func1(data2) > 256){
validate50.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schema37,data:data2}];
return false;
}
}
else {
validate50.errors = [{instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.type,parentSchema:schema37,data:data2}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isAdmin !== undefined){
let data3 = data.isAdmin;
const _errs9 = errors;
if(typeof data3 !== "boolean"){
validate50.errors = [{instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.isAdmin.type,parentSchema:schema43.properties.isAdmin,data:data3}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useChat !== undefined){
let data4 = data.useChat;
const _errs11 = errors;
if(typeof data4 !== "boolean"){
validate50.errors = [{instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useChat.type,parentSchema:schema43.properties.useChat,data:data4}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.functionRestriction !== undefined){
let data5 = data.functionRestriction;
const _errs13 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate50.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema43.properties.functionRestriction.type,parentSchema:schema43.properties.functionRestriction,data:data5}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useIndivFilter !== undefined){
let data6 = data.useIndivFilter;
const _errs15 = errors;
if(typeof data6 !== "boolean"){
validate50.errors = [{instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useIndivFilter.type,parentSchema:schema43.properties.useIndivFilter,data:data6}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.indivs !== undefined){
let data7 = data.indivs;
const _errs17 = errors;
const _errs18 = errors;
if(errors === _errs18){
if(Array.isArray(data7)){
if(data7.length > 1000){
validate50.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/components/schemas/FilterEntries/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data:data7}];
return false;
}
}
else {
validate50.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/components/schemas/FilterEntries/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data:data7}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useVPTGrpFilter !== undefined){
let data8 = data.useVPTGrpFilter;
const _errs20 = errors;
if(typeof data8 !== "boolean"){
validate50.errors = [{instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useVPTGrpFilter.type,parentSchema:schema43.properties.useVPTGrpFilter,data:data8}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vptGrps !== undefined){
let data9 = data.vptGrps;
const _errs22 = errors;
const _errs23 = errors;
if(errors === _errs23){
if(Array.isArray(data9)){
if(data9.length > 1000){
validate50.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/components/schemas/FilterEntries/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data:data9}];
return false;
}
}
else {
validate50.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/components/schemas/FilterEntries/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data:data9}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useLandmarkCategoryFilter !== undefined){
let data10 = data.useLandmarkCategoryFilter;
const _errs25 = errors;
if(typeof data10 !== "boolean"){
validate50.errors = [{instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useLandmarkCategoryFilter.type,parentSchema:schema43.properties.useLandmarkCategoryFilter,data:data10}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.landmarkCategories !== undefined){
let data11 = data.landmarkCategories;
const _errs27 = errors;
const _errs28 = errors;
if(errors === _errs28){
if(Array.isArray(data11)){
if(data11.length > 1000){
validate50.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/components/schemas/FilterEntries/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema46,data:data11}];
return false;
}
}
else {
validate50.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/components/schemas/FilterEntries/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.type,parentSchema:schema46,data:data11}];
return false;
}
}
var valid0 = _errs27 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useConnectionLimit !== undefined){
let data12 = data.useConnectionLimit;
const _errs30 = errors;
if(typeof data12 !== "boolean"){
validate50.errors = [{instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema43.properties.useConnectionLimit.type,parentSchema:schema43.properties.useConnectionLimit,data:data12}];
return false;
}
var valid0 = _errs30 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate50.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema43.type,parentSchema:schema43,data}];
return false;
}
}
validate50.errors = vErrors;
return errors === 0;
}
validate50.evaluated = {"props":{"loginId":true,"password":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};

export const UserAccountOperation = validate51;

function validate51(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate51.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.userAccountInput === undefined) && (missing0 = "userAccountInput"))){
validate51.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema42.required,parentSchema:schema42,data}];
return false;
}
else {
if(data.type !== undefined){
let data0 = data.type;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate51.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema42.properties.type.type,parentSchema:schema42.properties.type,data:data0}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 2 || isNaN(data0)){
validate51.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2},message:"must be <= 2",schema:2,parentSchema:schema42.properties.type,data:data0}];
return false;
}
else {
if(data0 < 0 || isNaN(data0)){
validate51.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema42.properties.type,data:data0}];
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
if(data.userAccountInput !== undefined){
const _errs3 = errors;
if(!(validate29(data.userAccountInput, {instancePath:instancePath+"/userAccountInput",parentData:data,parentDataProperty:"userAccountInput",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate29.errors : vErrors.concat(validate29.errors);
errors = vErrors.length;
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
validate51.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema42.type,parentSchema:schema42,data}];
return false;
}
}
validate51.errors = vErrors;
return errors === 0;
}
validate51.evaluated = {"props":{"type":true,"userAccountInput":true},"dynamicProps":false,"dynamicItems":false};

