// Generated from ./openapi/geo-api.yaml; run `npm run codegen` instead of editing.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
"use strict";
export const Address = validate21;
const schema32 = {"type":["string","null"],"description":"null where no address is known"};

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
if((typeof data !== "string") && (data !== null)){
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema32.type},message:"must be string,null",schema:schema32.type,parentSchema:schema32,data}];
return false;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"dynamicProps":false,"dynamicItems":false};

export const Addresses = validate22;
const schema33 = {"type":"object","required":["addresses"],"properties":{"addresses":{"type":"array","items":{"$ref":"#/components/schemas/Address"}}}};

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
if((data.addresses === undefined) && (missing0 = "addresses")){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema33.required,parentSchema:schema33,data}];
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
let data1 = data0[i0];
const _errs3 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate22.errors = [{instancePath:instancePath+"/addresses/" + i0,schemaPath:"#/components/schemas/Address/type",keyword:"type",params:{type: schema32.type},message:"must be string,null",schema:schema32.type,parentSchema:schema32,data:data1}];
return false;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/addresses",schemaPath:"#/properties/addresses/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema33.properties.addresses.type,parentSchema:schema33.properties.addresses,data:data0}];
return false;
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
validate22.evaluated = {"props":{"addresses":true},"dynamicProps":false,"dynamicItems":false};

export const Failure = validate23;
const schema35 = {"type":"object","required":["message"],"properties":{"message":{"type":"string"}}};

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
if((data.message === undefined) && (missing0 = "message")){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema35.required,parentSchema:schema35,data}];
return false;
}
else {
if(data.message !== undefined){
let data0 = data.message;
if(typeof data0 !== "string"){
validate23.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.message.type,parentSchema:schema35.properties.message,data:data0}];
return false;
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"message":true},"dynamicProps":false,"dynamicItems":false};

export const Point = validate24;
const schema36 = {"type":"object","required":["lat","lng"],"properties":{"lat":{"type":"number","minimum":-90,"maximum":90},"lng":{"type":"number","minimum":-180,"maximum":180}}};

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
if(((data.lat === undefined) && (missing0 = "lat")) || ((data.lng === undefined) && (missing0 = "lng"))){
validate24.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema36.required,parentSchema:schema36,data}];
return false;
}
else {
if(data.lat !== undefined){
let data0 = data.lat;
const _errs1 = errors;
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 90 || isNaN(data0)){
validate24.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 90},message:"must be <= 90",schema:90,parentSchema:schema36.properties.lat,data:data0}];
return false;
}
else {
if(data0 < -90 || isNaN(data0)){
validate24.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/minimum",keyword:"minimum",params:{comparison: ">=", limit: -90},message:"must be >= -90",schema:-90,parentSchema:schema36.properties.lat,data:data0}];
return false;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema36.properties.lat.type,parentSchema:schema36.properties.lat,data:data0}];
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
validate24.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/maximum",keyword:"maximum",params:{comparison: "<=", limit: 180},message:"must be <= 180",schema:180,parentSchema:schema36.properties.lng,data:data1}];
return false;
}
else {
if(data1 < -180 || isNaN(data1)){
validate24.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/minimum",keyword:"minimum",params:{comparison: ">=", limit: -180},message:"must be >= -180",schema:-180,parentSchema:schema36.properties.lng,data:data1}];
return false;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema36.properties.lng.type,parentSchema:schema36.properties.lng,data:data1}];
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
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.type,parentSchema:schema36,data}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":{"lat":true,"lng":true},"dynamicProps":false,"dynamicItems":false};

export const Points = validate25;
const schema37 = {"type":"object","required":["points"],"properties":{"points":{"type":"array","items":{"$ref":"#/components/schemas/Point"}}}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
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
validate25.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema37.required,parentSchema:schema37,data}];
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
let data1 = data0[i0];
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.lat === undefined) && (missing1 = "lat")) || ((data1.lng === undefined) && (missing1 = "lng"))){
validate25.errors = [{instancePath:instancePath+"/points/" + i0,schemaPath:"#/components/schemas/Point/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema36.required,parentSchema:schema36,data:data1}];
return false;
}
else {
if(data1.lat !== undefined){
let data2 = data1.lat;
const _errs6 = errors;
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 90 || isNaN(data2)){
validate25.errors = [{instancePath:instancePath+"/points/" + i0+"/lat",schemaPath:"#/components/schemas/Point/properties/lat/maximum",keyword:"maximum",params:{comparison: "<=", limit: 90},message:"must be <= 90",schema:90,parentSchema:schema36.properties.lat,data:data2}];
return false;
}
else {
if(data2 < -90 || isNaN(data2)){
validate25.errors = [{instancePath:instancePath+"/points/" + i0+"/lat",schemaPath:"#/components/schemas/Point/properties/lat/minimum",keyword:"minimum",params:{comparison: ">=", limit: -90},message:"must be >= -90",schema:-90,parentSchema:schema36.properties.lat,data:data2}];
return false;
}
}
}
else {
validate25.errors = [{instancePath:instancePath+"/points/" + i0+"/lat",schemaPath:"#/components/schemas/Point/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema36.properties.lat.type,parentSchema:schema36.properties.lat,data:data2}];
return false;
}
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.lng !== undefined){
let data3 = data1.lng;
const _errs8 = errors;
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 180 || isNaN(data3)){
validate25.errors = [{instancePath:instancePath+"/points/" + i0+"/lng",schemaPath:"#/components/schemas/Point/properties/lng/maximum",keyword:"maximum",params:{comparison: "<=", limit: 180},message:"must be <= 180",schema:180,parentSchema:schema36.properties.lng,data:data3}];
return false;
}
else {
if(data3 < -180 || isNaN(data3)){
validate25.errors = [{instancePath:instancePath+"/points/" + i0+"/lng",schemaPath:"#/components/schemas/Point/properties/lng/minimum",keyword:"minimum",params:{comparison: ">=", limit: -180},message:"must be >= -180",schema:-180,parentSchema:schema36.properties.lng,data:data3}];
return false;
}
}
}
else {
validate25.errors = [{instancePath:instancePath+"/points/" + i0+"/lng",schemaPath:"#/components/schemas/Point/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema36.properties.lng.type,parentSchema:schema36.properties.lng,data:data3}];
return false;
}
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
}
}
}
else {
validate25.errors = [{instancePath:instancePath+"/points/" + i0,schemaPath:"#/components/schemas/Point/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.type,parentSchema:schema36,data:data1}];
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
validate25.errors = [{instancePath:instancePath+"/points",schemaPath:"#/properties/points/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema37.properties.points.type,parentSchema:schema37.properties.points,data:data0}];
return false;
}
}
}
}
}
else {
validate25.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema37.type,parentSchema:schema37,data}];
return false;
}
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":{"points":true},"dynamicProps":false,"dynamicItems":false};

