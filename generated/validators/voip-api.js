// Generated from ./openapi/voip-api.yaml; run `npm run codegen` instead of editing.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
"use strict";
export const Failure = validate21;
const schema32 = {"type":"object","required":["message"],"properties":{"message":{"type":"string"}}};

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
if(data.message !== undefined){
let data0 = data.message;
if(typeof data0 !== "string"){
validate21.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema32.properties.message.type,parentSchema:schema32.properties.message,data:data0}];
return false;
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
validate21.evaluated = {"props":{"message":true},"dynamicProps":false,"dynamicItems":false};

export const Presence = validate22;
const schema33 = {"type":"object","required":["mobileId","online","talkGroup"],"properties":{"mobileId":{"type":"integer"},"online":{"type":"boolean"},"talkGroup":{"type":["string","null"]}}};

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
if((((data.mobileId === undefined) && (missing0 = "mobileId")) || ((data.online === undefined) && (missing0 = "online"))) || ((data.talkGroup === undefined) && (missing0 = "talkGroup"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema33.required,parentSchema:schema33,data}];
return false;
}
else {
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate22.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema33.properties.mobileId.type,parentSchema:schema33.properties.mobileId,data:data0}];
return false;
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
validate22.errors = [{instancePath:instancePath+"/online",schemaPath:"#/properties/online/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema33.properties.online.type,parentSchema:schema33.properties.online,data:data1}];
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
validate22.errors = [{instancePath:instancePath+"/talkGroup",schemaPath:"#/properties/talkGroup/type",keyword:"type",params:{type: schema33.properties.talkGroup.type},message:"must be string,null",schema:schema33.properties.talkGroup.type,parentSchema:schema33.properties.talkGroup,data:data2}];
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
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema33.type,parentSchema:schema33,data}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"mobileId":true,"online":true,"talkGroup":true},"dynamicProps":false,"dynamicItems":false};

export const Presences = validate23;
const schema34 = {"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Presence"}}}};

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
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.items === undefined) && (missing0 = "items")){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema34.required,parentSchema:schema34,data}];
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
let data1 = data0[i0];
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if((((data1.mobileId === undefined) && (missing1 = "mobileId")) || ((data1.online === undefined) && (missing1 = "online"))) || ((data1.talkGroup === undefined) && (missing1 = "talkGroup"))){
validate23.errors = [{instancePath:instancePath+"/items/" + i0,schemaPath:"#/components/schemas/Presence/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema33.required,parentSchema:schema33,data:data1}];
return false;
}
else {
if(data1.mobileId !== undefined){
let data2 = data1.mobileId;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate23.errors = [{instancePath:instancePath+"/items/" + i0+"/mobileId",schemaPath:"#/components/schemas/Presence/properties/mobileId/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema33.properties.mobileId.type,parentSchema:schema33.properties.mobileId,data:data2}];
return false;
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.online !== undefined){
let data3 = data1.online;
const _errs8 = errors;
if(typeof data3 !== "boolean"){
validate23.errors = [{instancePath:instancePath+"/items/" + i0+"/online",schemaPath:"#/components/schemas/Presence/properties/online/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema33.properties.online.type,parentSchema:schema33.properties.online,data:data3}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.talkGroup !== undefined){
let data4 = data1.talkGroup;
const _errs10 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate23.errors = [{instancePath:instancePath+"/items/" + i0+"/talkGroup",schemaPath:"#/components/schemas/Presence/properties/talkGroup/type",keyword:"type",params:{type: schema33.properties.talkGroup.type},message:"must be string,null",schema:schema33.properties.talkGroup.type,parentSchema:schema33.properties.talkGroup,data:data4}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/items/" + i0,schemaPath:"#/components/schemas/Presence/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema33.type,parentSchema:schema33,data:data1}];
return false;
}
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.items.type,parentSchema:schema34.properties.items,data:data0}];
return false;
}
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema34.type,parentSchema:schema34,data}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"items":true},"dynamicProps":false,"dynamicItems":false};

