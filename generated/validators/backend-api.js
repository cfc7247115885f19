// Generated from ./openapi/backend-api.yaml; run `npm run codegen` instead of editing.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
"use strict";
export const CreatedUserAccount = validate21;
const schema32 = {"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}};

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
if((data.id === undefined) && (missing0 = "id")){
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema32.required,parentSchema:schema32,data}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate21.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema32.properties.id.type,parentSchema:schema32.properties.id,data:data0}];
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
validate21.evaluated = {"props":{"id":true},"dynamicProps":false,"dynamicItems":false};

export const DrivingRecord = validate22;
const schema33 = {"type":"object","required":["mobileId","trips"],"properties":{"mobileId":{"type":"string"},"trips":{"type":"array","items":{"$ref":"#/components/schemas/Trip"}}}};
const schema34 = {"type":"object","required":["start","end","distanceMeters","stopCount","maxSpeedKmh","idleSeconds","track"],"properties":{"start":{"$ref":"#/components/schemas/Fix"},"end":{"$ref":"#/components/schemas/Fix"},"distanceMeters":{"type":"number"},"stopCount":{"type":"integer"},"maxSpeedKmh":{"type":"number"},"idleSeconds":{"type":"number"},"track":{"type":"array","items":{"$ref":"#/components/schemas/TrackPoint"}}}};
const schema35 = {"type":"object","required":["time","lat","lng"],"properties":{"time":{"type":"string","format":"date-time"},"lat":{"type":"number"},"lng":{"type":"number"}}};
const schema37 = {"type":"object","required":["time","lat","lng","speedKmh"],"properties":{"time":{"type":"string","format":"date-time"},"lat":{"type":"number"},"lng":{"type":"number"},"speedKmh":{"type":"number"}}};
const formats0 = require("ajv-formats/dist/formats").fullFormats["date-time"];

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
if((((((((data.start === undefined) && (missing0 = "start")) || ((data.end === undefined) && (missing0 = "end"))) || ((data.distanceMeters === undefined) && (missing0 = "distanceMeters"))) || ((data.stopCount === undefined) && (missing0 = "stopCount"))) || ((data.maxSpeedKmh === undefined) && (missing0 = "maxSpeedKmh"))) || ((data.idleSeconds === undefined) && (missing0 = "idleSeconds"))) || ((data.track === undefined) && (missing0 = "track"))){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema34.required,parentSchema:schema34,data}];
return false;
}
else {
if(data.start !== undefined){
let data0 = data.start;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing1;
if((((data0.time === undefined) && (missing1 = "time")) || ((data0.lat === undefined) && (missing1 = "lat"))) || ((data0.lng === undefined) && (missing1 = "lng"))){
validate23.errors = [{instancePath:instancePath+"/start",schemaPath:"#/components/schemas/Fix/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema35.required,parentSchema:schema35,data:data0}];
return false;
}
else {
if(data0.time !== undefined){
let data1 = data0.time;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(!(formats0.validate(data1))){
validate23.errors = [{instancePath:instancePath+"/start/time",schemaPath:"#/components/schemas/Fix/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema35.properties.time,data:data1}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/start/time",schemaPath:"#/components/schemas/Fix/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.time.type,parentSchema:schema35.properties.time,data:data1}];
return false;
}
}
}
var valid2 = _errs4 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data0.lat !== undefined){
let data2 = data0.lat;
const _errs6 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate23.errors = [{instancePath:instancePath+"/start/lat",schemaPath:"#/components/schemas/Fix/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lat.type,parentSchema:schema35.properties.lat,data:data2}];
return false;
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data0.lng !== undefined){
let data3 = data0.lng;
const _errs8 = errors;
if(!((typeof data3 == "number") && (isFinite(data3)))){
validate23.errors = [{instancePath:instancePath+"/start/lng",schemaPath:"#/components/schemas/Fix/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lng.type,parentSchema:schema35.properties.lng,data:data3}];
return false;
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/start",schemaPath:"#/components/schemas/Fix/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.end !== undefined){
let data4 = data.end;
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing2;
if((((data4.time === undefined) && (missing2 = "time")) || ((data4.lat === undefined) && (missing2 = "lat"))) || ((data4.lng === undefined) && (missing2 = "lng"))){
validate23.errors = [{instancePath:instancePath+"/end",schemaPath:"#/components/schemas/Fix/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'",schema:schema35.required,parentSchema:schema35,data:data4}];
return false;
}
else {
if(data4.time !== undefined){
let data5 = data4.time;
const _errs13 = errors;
if(errors === _errs13){
if(errors === _errs13){
if(typeof data5 === "string"){
if(!(formats0.validate(data5))){
validate23.errors = [{instancePath:instancePath+"/end/time",schemaPath:"#/components/schemas/Fix/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema35.properties.time,data:data5}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/end/time",schemaPath:"#/components/schemas/Fix/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.time.type,parentSchema:schema35.properties.time,data:data5}];
return false;
}
}
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data4.lat !== undefined){
let data6 = data4.lat;
const _errs15 = errors;
if(!((typeof data6 == "number") && (isFinite(data6)))){
validate23.errors = [{instancePath:instancePath+"/end/lat",schemaPath:"#/components/schemas/Fix/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lat.type,parentSchema:schema35.properties.lat,data:data6}];
return false;
}
var valid4 = _errs15 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data4.lng !== undefined){
let data7 = data4.lng;
const _errs17 = errors;
if(!((typeof data7 == "number") && (isFinite(data7)))){
validate23.errors = [{instancePath:instancePath+"/end/lng",schemaPath:"#/components/schemas/Fix/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lng.type,parentSchema:schema35.properties.lng,data:data7}];
return false;
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/end",schemaPath:"#/components/schemas/Fix/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data:data4}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.distanceMeters !== undefined){
let data8 = data.distanceMeters;
const _errs19 = errors;
if(!((typeof data8 == "number") && (isFinite(data8)))){
validate23.errors = [{instancePath:instancePath+"/distanceMeters",schemaPath:"#/properties/distanceMeters/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema34.properties.distanceMeters.type,parentSchema:schema34.properties.distanceMeters,data:data8}];
return false;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stopCount !== undefined){
let data9 = data.stopCount;
const _errs21 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate23.errors = [{instancePath:instancePath+"/stopCount",schemaPath:"#/properties/stopCount/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema34.properties.stopCount.type,parentSchema:schema34.properties.stopCount,data:data9}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxSpeedKmh !== undefined){
let data10 = data.maxSpeedKmh;
const _errs23 = errors;
if(!((typeof data10 == "number") && (isFinite(data10)))){
validate23.errors = [{instancePath:instancePath+"/maxSpeedKmh",schemaPath:"#/properties/maxSpeedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema34.properties.maxSpeedKmh.type,parentSchema:schema34.properties.maxSpeedKmh,data:data10}];
return false;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.idleSeconds !== undefined){
let data11 = data.idleSeconds;
const _errs25 = errors;
if(!((typeof data11 == "number") && (isFinite(data11)))){
validate23.errors = [{instancePath:instancePath+"/idleSeconds",schemaPath:"#/properties/idleSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema34.properties.idleSeconds.type,parentSchema:schema34.properties.idleSeconds,data:data11}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.track !== undefined){
let data12 = data.track;
const _errs27 = errors;
if(errors === _errs27){
if(Array.isArray(data12)){
var valid5 = true;
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
let data13 = data12[i0];
const _errs29 = errors;
const _errs30 = errors;
if(errors === _errs30){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
let missing3;
if(((((data13.time === undefined) && (missing3 = "time")) || ((data13.lat === undefined) && (missing3 = "lat"))) || ((data13.lng === undefined) && (missing3 = "lng"))) || ((data13.speedKmh === undefined) && (missing3 = "speedKmh"))){
validate23.errors = [{instancePath:instancePath+"/track/" + i0,schemaPath:"#/components/schemas/TrackPoint/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'",schema:schema37.required,parentSchema:schema37,data:data13}];
return false;
}
else {
if(data13.time !== undefined){
let data14 = data13.time;
const _errs32 = errors;
if(errors === _errs32){
if(errors === _errs32){
if(typeof data14 === "string"){
if(!(formats0.validate(data14))){
validate23.errors = [{instancePath:instancePath+"/track/" + i0+"/time",schemaPath:"#/components/schemas/TrackPoint/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema37.properties.time,data:data14}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/track/" + i0+"/time",schemaPath:"#/components/schemas/TrackPoint/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.properties.time.type,parentSchema:schema37.properties.time,data:data14}];
return false;
}
}
}
var valid7 = _errs32 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data13.lat !== undefined){
let data15 = data13.lat;
const _errs34 = errors;
if(!((typeof data15 == "number") && (isFinite(data15)))){
validate23.errors = [{instancePath:instancePath+"/track/" + i0+"/lat",schemaPath:"#/components/schemas/TrackPoint/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.lat.type,parentSchema:schema37.properties.lat,data:data15}];
return false;
}
var valid7 = _errs34 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data13.lng !== undefined){
let data16 = data13.lng;
const _errs36 = errors;
if(!((typeof data16 == "number") && (isFinite(data16)))){
validate23.errors = [{instancePath:instancePath+"/track/" + i0+"/lng",schemaPath:"#/components/schemas/TrackPoint/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.lng.type,parentSchema:schema37.properties.lng,data:data16}];
return false;
}
var valid7 = _errs36 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data13.speedKmh !== undefined){
let data17 = data13.speedKmh;
const _errs38 = errors;
if(!((typeof data17 == "number") && (isFinite(data17)))){
validate23.errors = [{instancePath:instancePath+"/track/" + i0+"/speedKmh",schemaPath:"#/components/schemas/TrackPoint/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.speedKmh.type,parentSchema:schema37.properties.speedKmh,data:data17}];
return false;
}
var valid7 = _errs38 === errors;
}
else {
var valid7 = true;
}
}
}
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/track/" + i0,schemaPath:"#/components/schemas/TrackPoint/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema37.type,parentSchema:schema37,data:data13}];
return false;
}
}
var valid5 = _errs29 === errors;
if(!valid5){
break;
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/track",schemaPath:"#/properties/track/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.track.type,parentSchema:schema34.properties.track,data:data12}];
return false;
}
}
var valid0 = _errs27 === errors;
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
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema34.type,parentSchema:schema34,data}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":{"start":true,"end":true,"distanceMeters":true,"stopCount":true,"maxSpeedKmh":true,"idleSeconds":true,"track":true},"dynamicProps":false,"dynamicItems":false};


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
if(((data.mobileId === undefined) && (missing0 = "mobileId")) || ((data.trips === undefined) && (missing0 = "trips"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema33.required,parentSchema:schema33,data}];
return false;
}
else {
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate22.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema33.properties.mobileId.type,parentSchema:schema33.properties.mobileId,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trips !== undefined){
let data1 = data.trips;
const _errs3 = errors;
if(errors === _errs3){
if(Array.isArray(data1)){
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs5 = errors;
if(!(validate23(data1[i0], {instancePath:instancePath+"/trips/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/trips",schemaPath:"#/properties/trips/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema33.properties.trips.type,parentSchema:schema33.properties.trips,data:data1}];
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
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema33.type,parentSchema:schema33,data}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"mobileId":true,"trips":true},"dynamicProps":false,"dynamicItems":false};

export const Failure = validate25;
const schema38 = {"type":"object","required":["message"],"properties":{"message":{"type":"string"}}};

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
if((data.message === undefined) && (missing0 = "message")){
validate25.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema38.required,parentSchema:schema38,data}];
return false;
}
else {
if(data.message !== undefined){
let data0 = data.message;
if(typeof data0 !== "string"){
validate25.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.message.type,parentSchema:schema38.properties.message,data:data0}];
return false;
}
}
}
}
else {
validate25.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.type,parentSchema:schema38,data}];
return false;
}
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":{"message":true},"dynamicProps":false,"dynamicItems":false};

export const Fix = validate26;

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
if((((data.time === undefined) && (missing0 = "time")) || ((data.lat === undefined) && (missing0 = "lat"))) || ((data.lng === undefined) && (missing0 = "lng"))){
validate26.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema35.required,parentSchema:schema35,data}];
return false;
}
else {
if(data.time !== undefined){
let data0 = data.time;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(formats0.validate(data0))){
validate26.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema35.properties.time,data:data0}];
return false;
}
}
else {
validate26.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.time.type,parentSchema:schema35.properties.time,data:data0}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lat !== undefined){
let data1 = data.lat;
const _errs3 = errors;
if(!((typeof data1 == "number") && (isFinite(data1)))){
validate26.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lat.type,parentSchema:schema35.properties.lat,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lng !== undefined){
let data2 = data.lng;
const _errs5 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate26.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lng.type,parentSchema:schema35.properties.lng,data:data2}];
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
validate26.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data}];
return false;
}
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":{"time":true,"lat":true,"lng":true},"dynamicProps":false,"dynamicItems":false};

export const LoginReply = validate27;
const schema40 = {"type":"object","required":["otpRequired"],"properties":{"otpRequired":{"type":"boolean"},"session":{"$ref":"#/components/schemas/Session"},"challenge":{"type":"string","description":"Ties the one-time password to this password step"}}};
const schema41 = {"type":"object","required":["accessToken","refreshToken","expiresIn"],"properties":{"accessToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"type":"integer","format":"int32","description":"seconds"}}};
const formats8 = require("ajv-formats/dist/formats").fullFormats.int32;

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
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.otpRequired === undefined) && (missing0 = "otpRequired")){
validate27.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema40.required,parentSchema:schema40,data}];
return false;
}
else {
if(data.otpRequired !== undefined){
let data0 = data.otpRequired;
const _errs1 = errors;
if(typeof data0 !== "boolean"){
validate27.errors = [{instancePath:instancePath+"/otpRequired",schemaPath:"#/properties/otpRequired/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema40.properties.otpRequired.type,parentSchema:schema40.properties.otpRequired,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.session !== undefined){
let data1 = data.session;
const _errs3 = errors;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if((((data1.accessToken === undefined) && (missing1 = "accessToken")) || ((data1.refreshToken === undefined) && (missing1 = "refreshToken"))) || ((data1.expiresIn === undefined) && (missing1 = "expiresIn"))){
validate27.errors = [{instancePath:instancePath+"/session",schemaPath:"#/components/schemas/Session/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema41.required,parentSchema:schema41,data:data1}];
return false;
}
else {
if(data1.accessToken !== undefined){
let data2 = data1.accessToken;
const _errs6 = errors;
if(typeof data2 !== "string"){
validate27.errors = [{instancePath:instancePath+"/session/accessToken",schemaPath:"#/components/schemas/Session/properties/accessToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.accessToken.type,parentSchema:schema41.properties.accessToken,data:data2}];
return false;
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.refreshToken !== undefined){
let data3 = data1.refreshToken;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate27.errors = [{instancePath:instancePath+"/session/refreshToken",schemaPath:"#/components/schemas/Session/properties/refreshToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.refreshToken.type,parentSchema:schema41.properties.refreshToken,data:data3}];
return false;
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.expiresIn !== undefined){
let data4 = data1.expiresIn;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate27.errors = [{instancePath:instancePath+"/session/expiresIn",schemaPath:"#/components/schemas/Session/properties/expiresIn/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema41.properties.expiresIn.type,parentSchema:schema41.properties.expiresIn,data:data4}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(!(formats8.validate(data4))){
validate27.errors = [{instancePath:instancePath+"/session/expiresIn",schemaPath:"#/components/schemas/Session/properties/expiresIn/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema41.properties.expiresIn,data:data4}];
return false;
}
}
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate27.errors = [{instancePath:instancePath+"/session",schemaPath:"#/components/schemas/Session/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema41.type,parentSchema:schema41,data:data1}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.challenge !== undefined){
let data5 = data.challenge;
const _errs12 = errors;
if(typeof data5 !== "string"){
validate27.errors = [{instancePath:instancePath+"/challenge",schemaPath:"#/properties/challenge/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.challenge.type,parentSchema:schema40.properties.challenge,data:data5}];
return false;
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
else {
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema40.type,parentSchema:schema40,data}];
return false;
}
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":{"otpRequired":true,"session":true,"challenge":true},"dynamicProps":false,"dynamicItems":false};

export const LoginRequest = validate28;
const schema42 = {"type":"object","required":["loginId","password"],"properties":{"loginId":{"type":"string"},"password":{"type":"string"}}};

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
if(((data.loginId === undefined) && (missing0 = "loginId")) || ((data.password === undefined) && (missing0 = "password"))){
validate28.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema42.required,parentSchema:schema42,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate28.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.loginId.type,parentSchema:schema42.properties.loginId,data:data0}];
return false;
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
if(typeof data1 !== "string"){
validate28.errors = [{instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.password.type,parentSchema:schema42.properties.password,data:data1}];
return false;
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
validate28.evaluated = {"props":{"loginId":true,"password":true},"dynamicProps":false,"dynamicItems":false};

export const Mobile = validate29;
const schema43 = {"type":"object","required":["id","num","name","tagIds","position"],"properties":{"id":{"type":"integer","format":"int32"},"num":{"type":"string"},"name":{"type":"string"},"tagIds":{"type":"array","items":{"type":"integer"}},"position":{"oneOf":[{"$ref":"#/components/schemas/Position"},{"type":"null"}]}}};
const schema44 = {"type":"object","required":["lat","lng","speedKmh","heading","recordedAt"],"properties":{"lat":{"type":"number"},"lng":{"type":"number"},"speedKmh":{"type":"number"},"heading":{"type":"number","description":"degrees clockwise from north"},"recordedAt":{"type":"string","format":"date-time","description":"RFC 3339 with capital letters and without leap seconds, which ECMAScript cannot represent","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"}}};
const pattern4 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$", "u");

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
if((((((data.id === undefined) && (missing0 = "id")) || ((data.num === undefined) && (missing0 = "num"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.tagIds === undefined) && (missing0 = "tagIds"))) || ((data.position === undefined) && (missing0 = "position"))){
validate29.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema43.required,parentSchema:schema43,data}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate29.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema43.properties.id.type,parentSchema:schema43.properties.id,data:data0}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats8.validate(data0))){
validate29.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema43.properties.id,data:data0}];
return false;
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
const _errs3 = errors;
if(typeof data1 !== "string"){
validate29.errors = [{instancePath:instancePath+"/num",schemaPath:"#/properties/num/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema43.properties.num.type,parentSchema:schema43.properties.num,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate29.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema43.properties.name.type,parentSchema:schema43.properties.name,data:data2}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tagIds !== undefined){
let data3 = data.tagIds;
const _errs7 = errors;
if(errors === _errs7){
if(Array.isArray(data3)){
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs9 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate29.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/properties/tagIds/items/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema43.properties.tagIds.items.type,parentSchema:schema43.properties.tagIds.items,data:data4}];
return false;
}
var valid1 = _errs9 === errors;
if(!valid1){
break;
}
}
}
else {
validate29.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema43.properties.tagIds.type,parentSchema:schema43.properties.tagIds,data:data3}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.position !== undefined){
let data5 = data.position;
const _errs11 = errors;
const _errs12 = errors;
let valid2 = false;
let passing0 = null;
const _errs13 = errors;
const _errs14 = errors;
if(errors === _errs14){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if((((((data5.lat === undefined) && (missing1 = "lat")) || ((data5.lng === undefined) && (missing1 = "lng"))) || ((data5.speedKmh === undefined) && (missing1 = "speedKmh"))) || ((data5.heading === undefined) && (missing1 = "heading"))) || ((data5.recordedAt === undefined) && (missing1 = "recordedAt"))){
const err0 = {instancePath:instancePath+"/position",schemaPath:"#/components/schemas/Position/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema44.required,parentSchema:schema44,data:data5};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data5.lat !== undefined){
let data6 = data5.lat;
const _errs16 = errors;
if(!((typeof data6 == "number") && (isFinite(data6)))){
const err1 = {instancePath:instancePath+"/position/lat",schemaPath:"#/components/schemas/Position/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.lat.type,parentSchema:schema44.properties.lat,data:data6};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid4 = _errs16 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.lng !== undefined){
let data7 = data5.lng;
const _errs18 = errors;
if(!((typeof data7 == "number") && (isFinite(data7)))){
const err2 = {instancePath:instancePath+"/position/lng",schemaPath:"#/components/schemas/Position/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.lng.type,parentSchema:schema44.properties.lng,data:data7};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var valid4 = _errs18 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.speedKmh !== undefined){
let data8 = data5.speedKmh;
const _errs20 = errors;
if(!((typeof data8 == "number") && (isFinite(data8)))){
const err3 = {instancePath:instancePath+"/position/speedKmh",schemaPath:"#/components/schemas/Position/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.speedKmh.type,parentSchema:schema44.properties.speedKmh,data:data8};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var valid4 = _errs20 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.heading !== undefined){
let data9 = data5.heading;
const _errs22 = errors;
if(!((typeof data9 == "number") && (isFinite(data9)))){
const err4 = {instancePath:instancePath+"/position/heading",schemaPath:"#/components/schemas/Position/properties/heading/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.heading.type,parentSchema:schema44.properties.heading,data:data9};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var valid4 = _errs22 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.recordedAt !== undefined){
let data10 = data5.recordedAt;
const _errs24 = errors;
if(errors === _errs24){
if(errors === _errs24){
if(typeof data10 === "string"){
if(!pattern4.test(data10)){
const err5 = {instancePath:instancePath+"/position/recordedAt",schemaPath:"#/components/schemas/Position/properties/recordedAt/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"},message:"must match pattern \""+"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"+"\"",schema:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",parentSchema:schema44.properties.recordedAt,data:data10};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
if(!(formats0.validate(data10))){
const err6 = {instancePath:instancePath+"/position/recordedAt",schemaPath:"#/components/schemas/Position/properties/recordedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema44.properties.recordedAt,data:data10};
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
else {
const err7 = {instancePath:instancePath+"/position/recordedAt",schemaPath:"#/components/schemas/Position/properties/recordedAt/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema44.properties.recordedAt.type,parentSchema:schema44.properties.recordedAt,data:data10};
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
var valid4 = _errs24 === errors;
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
const err8 = {instancePath:instancePath+"/position",schemaPath:"#/components/schemas/Position/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema44.type,parentSchema:schema44,data:data5};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid0 = _errs13 === errors;
if(_valid0){
valid2 = true;
passing0 = 0;
var props0 = {};
props0.lat = true;
props0.lng = true;
props0.speedKmh = true;
props0.heading = true;
props0.recordedAt = true;
}
const _errs26 = errors;
if(data5 !== null){
const err9 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/oneOf/1/type",keyword:"type",params:{type: "null"},message:"must be null",schema:schema43.properties.position.oneOf[1].type,parentSchema:schema43.properties.position.oneOf[1],data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
var _valid0 = _errs26 === errors;
if(_valid0 && valid2){
valid2 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid2 = true;
passing0 = 1;
}
}
if(!valid2){
const err10 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema43.properties.position.oneOf,parentSchema:schema43.properties.position,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
validate29.errors = vErrors;
return false;
}
else {
errors = _errs12;
if(vErrors !== null){
if(_errs12){
vErrors.length = _errs12;
}
else {
vErrors = null;
}
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
}
else {
validate29.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema43.type,parentSchema:schema43,data}];
return false;
}
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":{"id":true,"num":true,"name":true,"tagIds":true,"position":true},"dynamicProps":false,"dynamicItems":false};

export const MobileIds = validate30;
const schema45 = {"type":"object","required":["ids"],"properties":{"ids":{"type":"array","items":{"type":"string"}}}};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.ids === undefined) && (missing0 = "ids")){
validate30.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema45.required,parentSchema:schema45,data}];
return false;
}
else {
if(data.ids !== undefined){
let data0 = data.ids;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs3 = errors;
if(typeof data1 !== "string"){
validate30.errors = [{instancePath:instancePath+"/ids/" + i0,schemaPath:"#/properties/ids/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema45.properties.ids.items.type,parentSchema:schema45.properties.ids.items,data:data1}];
return false;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate30.errors = [{instancePath:instancePath+"/ids",schemaPath:"#/properties/ids/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema45.properties.ids.type,parentSchema:schema45.properties.ids,data:data0}];
return false;
}
}
}
}
}
else {
validate30.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema45.type,parentSchema:schema45,data}];
return false;
}
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":{"ids":true},"dynamicProps":false,"dynamicItems":false};

export const MobilePage = validate31;
const schema46 = {"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Mobile"}},"nextCursor":{"type":"string"}}};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
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
validate31.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema46.required,parentSchema:schema46,data}];
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
if(!(validate29(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate29.errors : vErrors.concat(validate29.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validate31.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema46.properties.items.type,parentSchema:schema46.properties.items,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextCursor !== undefined){
let data2 = data.nextCursor;
const _errs4 = errors;
if(typeof data2 !== "string"){
validate31.errors = [{instancePath:instancePath+"/nextCursor",schemaPath:"#/properties/nextCursor/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema46.properties.nextCursor.type,parentSchema:schema46.properties.nextCursor,data:data2}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate31.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema46.type,parentSchema:schema46,data}];
return false;
}
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":{"items":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

export const MobilePatch = validate33;
const schema47 = {"type":"object","properties":{"num":{"type":"string"},"name":{"type":"string"},"tagIds":{"type":"array","items":{"type":"integer"}}}};

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
if(data.num !== undefined){
let data0 = data.num;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate33.errors = [{instancePath:instancePath+"/num",schemaPath:"#/properties/num/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema47.properties.num.type,parentSchema:schema47.properties.num,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs3 = errors;
if(typeof data1 !== "string"){
validate33.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema47.properties.name.type,parentSchema:schema47.properties.name,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tagIds !== undefined){
let data2 = data.tagIds;
const _errs5 = errors;
if(errors === _errs5){
if(Array.isArray(data2)){
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs7 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate33.errors = [{instancePath:instancePath+"/tagIds/" + i0,schemaPath:"#/properties/tagIds/items/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema47.properties.tagIds.items.type,parentSchema:schema47.properties.tagIds.items,data:data3}];
return false;
}
var valid1 = _errs7 === errors;
if(!valid1){
break;
}
}
}
else {
validate33.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema47.properties.tagIds.type,parentSchema:schema47.properties.tagIds,data:data2}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate33.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema47.type,parentSchema:schema47,data}];
return false;
}
}
validate33.errors = vErrors;
return errors === 0;
}
validate33.evaluated = {"props":{"num":true,"name":true,"tagIds":true},"dynamicProps":false,"dynamicItems":false};

export const OtpDelivery = validate34;
const schema48 = {"type":"object","required":["sentTo","expiresIn"],"properties":{"sentTo":{"type":"string"},"expiresIn":{"type":"integer","format":"int32","description":"seconds"}}};

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
if(((data.sentTo === undefined) && (missing0 = "sentTo")) || ((data.expiresIn === undefined) && (missing0 = "expiresIn"))){
validate34.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema48.required,parentSchema:schema48,data}];
return false;
}
else {
if(data.sentTo !== undefined){
let data0 = data.sentTo;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate34.errors = [{instancePath:instancePath+"/sentTo",schemaPath:"#/properties/sentTo/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema48.properties.sentTo.type,parentSchema:schema48.properties.sentTo,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresIn !== undefined){
let data1 = data.expiresIn;
const _errs3 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate34.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema48.properties.expiresIn.type,parentSchema:schema48.properties.expiresIn,data:data1}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(!(formats8.validate(data1))){
validate34.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema48.properties.expiresIn,data:data1}];
return false;
}
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
validate34.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema48.type,parentSchema:schema48,data}];
return false;
}
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":{"sentTo":true,"expiresIn":true},"dynamicProps":false,"dynamicItems":false};

export const OtpRequest = validate35;
const schema49 = {"type":"object","required":["loginId"],"properties":{"loginId":{"type":"string"}}};

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
if((data.loginId === undefined) && (missing0 = "loginId")){
validate35.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema49.required,parentSchema:schema49,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
if(typeof data0 !== "string"){
validate35.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema49.properties.loginId.type,parentSchema:schema49.properties.loginId,data:data0}];
return false;
}
}
}
}
else {
validate35.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema49.type,parentSchema:schema49,data}];
return false;
}
}
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"props":{"loginId":true},"dynamicProps":false,"dynamicItems":false};

export const OtpVerification = validate36;
const schema50 = {"type":"object","required":["loginId","code"],"properties":{"loginId":{"type":"string"},"code":{"type":"string"},"challenge":{"type":"string"}}};

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
if(((data.loginId === undefined) && (missing0 = "loginId")) || ((data.code === undefined) && (missing0 = "code"))){
validate36.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema50.required,parentSchema:schema50,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate36.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema50.properties.loginId.type,parentSchema:schema50.properties.loginId,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code !== undefined){
let data1 = data.code;
const _errs3 = errors;
if(typeof data1 !== "string"){
validate36.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema50.properties.code.type,parentSchema:schema50.properties.code,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.challenge !== undefined){
let data2 = data.challenge;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate36.errors = [{instancePath:instancePath+"/challenge",schemaPath:"#/properties/challenge/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema50.properties.challenge.type,parentSchema:schema50.properties.challenge,data:data2}];
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
validate36.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema50.type,parentSchema:schema50,data}];
return false;
}
}
validate36.errors = vErrors;
return errors === 0;
}
validate36.evaluated = {"props":{"loginId":true,"code":true,"challenge":true},"dynamicProps":false,"dynamicItems":false};

export const Position = validate37;

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate37.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((data.lat === undefined) && (missing0 = "lat")) || ((data.lng === undefined) && (missing0 = "lng"))) || ((data.speedKmh === undefined) && (missing0 = "speedKmh"))) || ((data.heading === undefined) && (missing0 = "heading"))) || ((data.recordedAt === undefined) && (missing0 = "recordedAt"))){
validate37.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema44.required,parentSchema:schema44,data}];
return false;
}
else {
if(data.lat !== undefined){
let data0 = data.lat;
const _errs1 = errors;
if(!((typeof data0 == "number") && (isFinite(data0)))){
validate37.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.lat.type,parentSchema:schema44.properties.lat,data:data0}];
return false;
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
if(!((typeof data1 == "number") && (isFinite(data1)))){
validate37.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.lng.type,parentSchema:schema44.properties.lng,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.speedKmh !== undefined){
let data2 = data.speedKmh;
const _errs5 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate37.errors = [{instancePath:instancePath+"/speedKmh",schemaPath:"#/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.speedKmh.type,parentSchema:schema44.properties.speedKmh,data:data2}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.heading !== undefined){
let data3 = data.heading;
const _errs7 = errors;
if(!((typeof data3 == "number") && (isFinite(data3)))){
validate37.errors = [{instancePath:instancePath+"/heading",schemaPath:"#/properties/heading/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema44.properties.heading.type,parentSchema:schema44.properties.heading,data:data3}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.recordedAt !== undefined){
let data4 = data.recordedAt;
const _errs9 = errors;
if(errors === _errs9){
if(errors === _errs9){
if(typeof data4 === "string"){
if(!pattern4.test(data4)){
validate37.errors = [{instancePath:instancePath+"/recordedAt",schemaPath:"#/properties/recordedAt/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"},message:"must match pattern \""+"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"+"\"",schema:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",parentSchema:schema44.properties.recordedAt,data:data4}];
return false;
}
else {
if(!(formats0.validate(data4))){
validate37.errors = [{instancePath:instancePath+"/recordedAt",schemaPath:"#/properties/recordedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema44.properties.recordedAt,data:data4}];
return false;
}
}
}
else {
validate37.errors = [{instancePath:instancePath+"/recordedAt",schemaPath:"#/properties/recordedAt/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema44.properties.recordedAt.type,parentSchema:schema44.properties.recordedAt,data:data4}];
return false;
}
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
}
}
}
else {
validate37.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema44.type,parentSchema:schema44,data}];
return false;
}
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":{"lat":true,"lng":true,"speedKmh":true,"heading":true,"recordedAt":true},"dynamicProps":false,"dynamicItems":false};

export const PublicKey = validate38;
const schema52 = {"type":"object","required":["pem"],"properties":{"kid":{"type":"string","minLength":1},"pem":{"type":"string","description":"RSA public key, SPKI, PEM form"}}};
const func1 = require("ajv/dist/runtime/ucs2length").default;

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
if((data.pem === undefined) && (missing0 = "pem")){
validate38.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema52.required,parentSchema:schema52,data}];
return false;
}
else {
if(data.kid !== undefined){
let data0 = data.kid;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate38.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema52.properties.kid,data:data0}];
return false;
}
}
else {
validate38.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema52.properties.kid.type,parentSchema:schema52.properties.kid,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pem !== undefined){
let data1 = data.pem;
const _errs3 = errors;
if(typeof data1 !== "string"){
validate38.errors = [{instancePath:instancePath+"/pem",schemaPath:"#/properties/pem/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema52.properties.pem.type,parentSchema:schema52.properties.pem,data:data1}];
return false;
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
validate38.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema52.type,parentSchema:schema52,data}];
return false;
}
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":{"kid":true,"pem":true},"dynamicProps":false,"dynamicItems":false};

export const PublicKeys = validate39;
const schema53 = {"type":"object","required":["keys"],"properties":{"keys":{"type":"array","items":{"$ref":"#/components/schemas/PublicKey"}}}};

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
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.keys === undefined) && (missing0 = "keys")){
validate39.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema53.required,parentSchema:schema53,data}];
return false;
}
else {
if(data.keys !== undefined){
let data0 = data.keys;
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
if((data1.pem === undefined) && (missing1 = "pem")){
validate39.errors = [{instancePath:instancePath+"/keys/" + i0,schemaPath:"#/components/schemas/PublicKey/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema52.required,parentSchema:schema52,data:data1}];
return false;
}
else {
if(data1.kid !== undefined){
let data2 = data1.kid;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate39.errors = [{instancePath:instancePath+"/keys/" + i0+"/kid",schemaPath:"#/components/schemas/PublicKey/properties/kid/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema52.properties.kid,data:data2}];
return false;
}
}
else {
validate39.errors = [{instancePath:instancePath+"/keys/" + i0+"/kid",schemaPath:"#/components/schemas/PublicKey/properties/kid/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema52.properties.kid.type,parentSchema:schema52.properties.kid,data:data2}];
return false;
}
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.pem !== undefined){
let data3 = data1.pem;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate39.errors = [{instancePath:instancePath+"/keys/" + i0+"/pem",schemaPath:"#/components/schemas/PublicKey/properties/pem/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema52.properties.pem.type,parentSchema:schema52.properties.pem,data:data3}];
return false;
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
validate39.errors = [{instancePath:instancePath+"/keys/" + i0,schemaPath:"#/components/schemas/PublicKey/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema52.type,parentSchema:schema52,data:data1}];
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
validate39.errors = [{instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema53.properties.keys.type,parentSchema:schema53.properties.keys,data:data0}];
return false;
}
}
}
}
}
else {
validate39.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema53.type,parentSchema:schema53,data}];
return false;
}
}
validate39.errors = vErrors;
return errors === 0;
}
validate39.evaluated = {"props":{"keys":true},"dynamicProps":false,"dynamicItems":false};

export const RefreshRequest = validate40;
const schema55 = {"type":"object","required":["refreshToken"],"properties":{"refreshToken":{"type":"string"}}};

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
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.refreshToken === undefined) && (missing0 = "refreshToken")){
validate40.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema55.required,parentSchema:schema55,data}];
return false;
}
else {
if(data.refreshToken !== undefined){
let data0 = data.refreshToken;
if(typeof data0 !== "string"){
validate40.errors = [{instancePath:instancePath+"/refreshToken",schemaPath:"#/properties/refreshToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema55.properties.refreshToken.type,parentSchema:schema55.properties.refreshToken,data:data0}];
return false;
}
}
}
}
else {
validate40.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema55.type,parentSchema:schema55,data}];
return false;
}
}
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"props":{"refreshToken":true},"dynamicProps":false,"dynamicItems":false};

export const Session = validate41;

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
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.accessToken === undefined) && (missing0 = "accessToken")) || ((data.refreshToken === undefined) && (missing0 = "refreshToken"))) || ((data.expiresIn === undefined) && (missing0 = "expiresIn"))){
validate41.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema41.required,parentSchema:schema41,data}];
return false;
}
else {
if(data.accessToken !== undefined){
let data0 = data.accessToken;
const _errs1 = errors;
if(typeof data0 !== "string"){
validate41.errors = [{instancePath:instancePath+"/accessToken",schemaPath:"#/properties/accessToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.accessToken.type,parentSchema:schema41.properties.accessToken,data:data0}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refreshToken !== undefined){
let data1 = data.refreshToken;
const _errs3 = errors;
if(typeof data1 !== "string"){
validate41.errors = [{instancePath:instancePath+"/refreshToken",schemaPath:"#/properties/refreshToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.refreshToken.type,parentSchema:schema41.properties.refreshToken,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.expiresIn !== undefined){
let data2 = data.expiresIn;
const _errs5 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate41.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema41.properties.expiresIn.type,parentSchema:schema41.properties.expiresIn,data:data2}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats8.validate(data2))){
validate41.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema41.properties.expiresIn,data:data2}];
return false;
}
}
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
validate41.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema41.type,parentSchema:schema41,data}];
return false;
}
}
validate41.errors = vErrors;
return errors === 0;
}
validate41.evaluated = {"props":{"accessToken":true,"refreshToken":true,"expiresIn":true},"dynamicProps":false,"dynamicItems":false};

export const Tag = validate42;
const schema57 = {"type":"object","required":["id","name"],"properties":{"id":{"type":"integer","format":"int32"},"name":{"type":"string"}}};

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
if(((data.id === undefined) && (missing0 = "id")) || ((data.name === undefined) && (missing0 = "name"))){
validate42.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema57.required,parentSchema:schema57,data}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate42.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema57.properties.id.type,parentSchema:schema57.properties.id,data:data0}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats8.validate(data0))){
validate42.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema57.properties.id,data:data0}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs3 = errors;
if(typeof data1 !== "string"){
validate42.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.properties.name.type,parentSchema:schema57.properties.name,data:data1}];
return false;
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
validate42.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema57.type,parentSchema:schema57,data}];
return false;
}
}
validate42.errors = vErrors;
return errors === 0;
}
validate42.evaluated = {"props":{"id":true,"name":true},"dynamicProps":false,"dynamicItems":false};

export const Tags = validate43;
const schema58 = {"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Tag"}}}};

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
if((data.items === undefined) && (missing0 = "items")){
validate43.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema58.required,parentSchema:schema58,data}];
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
if(((data1.id === undefined) && (missing1 = "id")) || ((data1.name === undefined) && (missing1 = "name"))){
validate43.errors = [{instancePath:instancePath+"/items/" + i0,schemaPath:"#/components/schemas/Tag/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema57.required,parentSchema:schema57,data:data1}];
return false;
}
else {
if(data1.id !== undefined){
let data2 = data1.id;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate43.errors = [{instancePath:instancePath+"/items/" + i0+"/id",schemaPath:"#/components/schemas/Tag/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema57.properties.id.type,parentSchema:schema57.properties.id,data:data2}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats8.validate(data2))){
validate43.errors = [{instancePath:instancePath+"/items/" + i0+"/id",schemaPath:"#/components/schemas/Tag/properties/id/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema57.properties.id,data:data2}];
return false;
}
}
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.name !== undefined){
let data3 = data1.name;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate43.errors = [{instancePath:instancePath+"/items/" + i0+"/name",schemaPath:"#/components/schemas/Tag/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema57.properties.name.type,parentSchema:schema57.properties.name,data:data3}];
return false;
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
validate43.errors = [{instancePath:instancePath+"/items/" + i0,schemaPath:"#/components/schemas/Tag/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema57.type,parentSchema:schema57,data:data1}];
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
validate43.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema58.properties.items.type,parentSchema:schema58.properties.items,data:data0}];
return false;
}
}
}
}
}
else {
validate43.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema58.type,parentSchema:schema58,data}];
return false;
}
}
validate43.errors = vErrors;
return errors === 0;
}
validate43.evaluated = {"props":{"items":true},"dynamicProps":false,"dynamicItems":false};

export const TrackPoint = validate44;

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
if(((((data.time === undefined) && (missing0 = "time")) || ((data.lat === undefined) && (missing0 = "lat"))) || ((data.lng === undefined) && (missing0 = "lng"))) || ((data.speedKmh === undefined) && (missing0 = "speedKmh"))){
validate44.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema37.required,parentSchema:schema37,data}];
return false;
}
else {
if(data.time !== undefined){
let data0 = data.time;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(formats0.validate(data0))){
validate44.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema37.properties.time,data:data0}];
return false;
}
}
else {
validate44.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.properties.time.type,parentSchema:schema37.properties.time,data:data0}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lat !== undefined){
let data1 = data.lat;
const _errs3 = errors;
if(!((typeof data1 == "number") && (isFinite(data1)))){
validate44.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.lat.type,parentSchema:schema37.properties.lat,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.lng !== undefined){
let data2 = data.lng;
const _errs5 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate44.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.lng.type,parentSchema:schema37.properties.lng,data:data2}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.speedKmh !== undefined){
let data3 = data.speedKmh;
const _errs7 = errors;
if(!((typeof data3 == "number") && (isFinite(data3)))){
validate44.errors = [{instancePath:instancePath+"/speedKmh",schemaPath:"#/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.speedKmh.type,parentSchema:schema37.properties.speedKmh,data:data3}];
return false;
}
var valid0 = _errs7 === errors;
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
validate44.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema37.type,parentSchema:schema37,data}];
return false;
}
}
validate44.errors = vErrors;
return errors === 0;
}
validate44.evaluated = {"props":{"time":true,"lat":true,"lng":true,"speedKmh":true},"dynamicProps":false,"dynamicItems":false};

export const Trip = validate45;

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
if((((((((data.start === undefined) && (missing0 = "start")) || ((data.end === undefined) && (missing0 = "end"))) || ((data.distanceMeters === undefined) && (missing0 = "distanceMeters"))) || ((data.stopCount === undefined) && (missing0 = "stopCount"))) || ((data.maxSpeedKmh === undefined) && (missing0 = "maxSpeedKmh"))) || ((data.idleSeconds === undefined) && (missing0 = "idleSeconds"))) || ((data.track === undefined) && (missing0 = "track"))){
validate45.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema34.required,parentSchema:schema34,data}];
return false;
}
else {
if(data.start !== undefined){
let data0 = data.start;
const _errs1 = errors;
const _errs2 = errors;
if(errors === _errs2){
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
let missing1;
if((((data0.time === undefined) && (missing1 = "time")) || ((data0.lat === undefined) && (missing1 = "lat"))) || ((data0.lng === undefined) && (missing1 = "lng"))){
validate45.errors = [{instancePath:instancePath+"/start",schemaPath:"#/components/schemas/Fix/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema35.required,parentSchema:schema35,data:data0}];
return false;
}
else {
if(data0.time !== undefined){
let data1 = data0.time;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(!(formats0.validate(data1))){
validate45.errors = [{instancePath:instancePath+"/start/time",schemaPath:"#/components/schemas/Fix/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema35.properties.time,data:data1}];
return false;
}
}
else {
validate45.errors = [{instancePath:instancePath+"/start/time",schemaPath:"#/components/schemas/Fix/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.time.type,parentSchema:schema35.properties.time,data:data1}];
return false;
}
}
}
var valid2 = _errs4 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data0.lat !== undefined){
let data2 = data0.lat;
const _errs6 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validate45.errors = [{instancePath:instancePath+"/start/lat",schemaPath:"#/components/schemas/Fix/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lat.type,parentSchema:schema35.properties.lat,data:data2}];
return false;
}
var valid2 = _errs6 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data0.lng !== undefined){
let data3 = data0.lng;
const _errs8 = errors;
if(!((typeof data3 == "number") && (isFinite(data3)))){
validate45.errors = [{instancePath:instancePath+"/start/lng",schemaPath:"#/components/schemas/Fix/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lng.type,parentSchema:schema35.properties.lng,data:data3}];
return false;
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate45.errors = [{instancePath:instancePath+"/start",schemaPath:"#/components/schemas/Fix/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.end !== undefined){
let data4 = data.end;
const _errs10 = errors;
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing2;
if((((data4.time === undefined) && (missing2 = "time")) || ((data4.lat === undefined) && (missing2 = "lat"))) || ((data4.lng === undefined) && (missing2 = "lng"))){
validate45.errors = [{instancePath:instancePath+"/end",schemaPath:"#/components/schemas/Fix/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'",schema:schema35.required,parentSchema:schema35,data:data4}];
return false;
}
else {
if(data4.time !== undefined){
let data5 = data4.time;
const _errs13 = errors;
if(errors === _errs13){
if(errors === _errs13){
if(typeof data5 === "string"){
if(!(formats0.validate(data5))){
validate45.errors = [{instancePath:instancePath+"/end/time",schemaPath:"#/components/schemas/Fix/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema35.properties.time,data:data5}];
return false;
}
}
else {
validate45.errors = [{instancePath:instancePath+"/end/time",schemaPath:"#/components/schemas/Fix/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.time.type,parentSchema:schema35.properties.time,data:data5}];
return false;
}
}
}
var valid4 = _errs13 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data4.lat !== undefined){
let data6 = data4.lat;
const _errs15 = errors;
if(!((typeof data6 == "number") && (isFinite(data6)))){
validate45.errors = [{instancePath:instancePath+"/end/lat",schemaPath:"#/components/schemas/Fix/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lat.type,parentSchema:schema35.properties.lat,data:data6}];
return false;
}
var valid4 = _errs15 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data4.lng !== undefined){
let data7 = data4.lng;
const _errs17 = errors;
if(!((typeof data7 == "number") && (isFinite(data7)))){
validate45.errors = [{instancePath:instancePath+"/end/lng",schemaPath:"#/components/schemas/Fix/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.lng.type,parentSchema:schema35.properties.lng,data:data7}];
return false;
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
validate45.errors = [{instancePath:instancePath+"/end",schemaPath:"#/components/schemas/Fix/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data:data4}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.distanceMeters !== undefined){
let data8 = data.distanceMeters;
const _errs19 = errors;
if(!((typeof data8 == "number") && (isFinite(data8)))){
validate45.errors = [{instancePath:instancePath+"/distanceMeters",schemaPath:"#/properties/distanceMeters/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema34.properties.distanceMeters.type,parentSchema:schema34.properties.distanceMeters,data:data8}];
return false;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stopCount !== undefined){
let data9 = data.stopCount;
const _errs21 = errors;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
validate45.errors = [{instancePath:instancePath+"/stopCount",schemaPath:"#/properties/stopCount/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema34.properties.stopCount.type,parentSchema:schema34.properties.stopCount,data:data9}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxSpeedKmh !== undefined){
let data10 = data.maxSpeedKmh;
const _errs23 = errors;
if(!((typeof data10 == "number") && (isFinite(data10)))){
validate45.errors = [{instancePath:instancePath+"/maxSpeedKmh",schemaPath:"#/properties/maxSpeedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema34.properties.maxSpeedKmh.type,parentSchema:schema34.properties.maxSpeedKmh,data:data10}];
return false;
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.idleSeconds !== undefined){
let data11 = data.idleSeconds;
const _errs25 = errors;
if(!((typeof data11 == "number") && (isFinite(data11)))){
validate45.errors = [{instancePath:instancePath+"/idleSeconds",schemaPath:"#/properties/idleSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema34.properties.idleSeconds.type,parentSchema:schema34.properties.idleSeconds,data:data11}];
return false;
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.track !== undefined){
let data12 = data.track;
const _errs27 = errors;
if(errors === _errs27){
if(Array.isArray(data12)){
var valid5 = true;
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
let data13 = data12[i0];
const _errs29 = errors;
const _errs30 = errors;
if(errors === _errs30){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
let missing3;
if(((((data13.time === undefined) && (missing3 = "time")) || ((data13.lat === undefined) && (missing3 = "lat"))) || ((data13.lng === undefined) && (missing3 = "lng"))) || ((data13.speedKmh === undefined) && (missing3 = "speedKmh"))){
validate45.errors = [{instancePath:instancePath+"/track/" + i0,schemaPath:"#/components/schemas/TrackPoint/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'",schema:schema37.required,parentSchema:schema37,data:data13}];
return false;
}
else {
if(data13.time !== undefined){
let data14 = data13.time;
const _errs32 = errors;
if(errors === _errs32){
if(errors === _errs32){
if(typeof data14 === "string"){
if(!(formats0.validate(data14))){
validate45.errors = [{instancePath:instancePath+"/track/" + i0+"/time",schemaPath:"#/components/schemas/TrackPoint/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema37.properties.time,data:data14}];
return false;
}
}
else {
validate45.errors = [{instancePath:instancePath+"/track/" + i0+"/time",schemaPath:"#/components/schemas/TrackPoint/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema37.properties.time.type,parentSchema:schema37.properties.time,data:data14}];
return false;
}
}
}
var valid7 = _errs32 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data13.lat !== undefined){
let data15 = data13.lat;
const _errs34 = errors;
if(!((typeof data15 == "number") && (isFinite(data15)))){
validate45.errors = [{instancePath:instancePath+"/track/" + i0+"/lat",schemaPath:"#/components/schemas/TrackPoint/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.lat.type,parentSchema:schema37.properties.lat,data:data15}];
return false;
}
var valid7 = _errs34 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data13.lng !== undefined){
let data16 = data13.lng;
const _errs36 = errors;
if(!((typeof data16 == "number") && (isFinite(data16)))){
validate45.errors = [{instancePath:instancePath+"/track/" + i0+"/lng",schemaPath:"#/components/schemas/TrackPoint/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.lng.type,parentSchema:schema37.properties.lng,data:data16}];
return false;
}
var valid7 = _errs36 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data13.speedKmh !== undefined){
let data17 = data13.speedKmh;
const _errs38 = errors;
if(!((typeof data17 == "number") && (isFinite(data17)))){
validate45.errors = [{instancePath:instancePath+"/track/" + i0+"/speedKmh",schemaPath:"#/components/schemas/TrackPoint/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema37.properties.speedKmh.type,parentSchema:schema37.properties.speedKmh,data:data17}];
return false;
}
var valid7 = _errs38 === errors;
}
else {
var valid7 = true;
}
}
}
}
}
}
else {
validate45.errors = [{instancePath:instancePath+"/track/" + i0,schemaPath:"#/components/schemas/TrackPoint/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema37.type,parentSchema:schema37,data:data13}];
return false;
}
}
var valid5 = _errs29 === errors;
if(!valid5){
break;
}
}
}
else {
validate45.errors = [{instancePath:instancePath+"/track",schemaPath:"#/properties/track/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.track.type,parentSchema:schema34.properties.track,data:data12}];
return false;
}
}
var valid0 = _errs27 === errors;
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
validate45.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema34.type,parentSchema:schema34,data}];
return false;
}
}
validate45.errors = vErrors;
return errors === 0;
}
validate45.evaluated = {"props":{"start":true,"end":true,"distanceMeters":true,"stopCount":true,"maxSpeedKmh":true,"idleSeconds":true,"track":true},"dynamicProps":false,"dynamicItems":false};

export const UserAccount = validate46;
const schema65 = {"type":"object","required":["id","loginId","name","isAdmin"],"properties":{"id":{"type":"integer","format":"int32"},"loginId":{"type":"string"},"name":{"type":"string"},"isAdmin":{"type":"boolean"},"useChat":{"type":"boolean"},"functionRestriction":{"type":"integer","format":"int32"},"useIndivFilter":{"type":"boolean"},"indivs":{"type":"array","items":{}},"useVPTGrpFilter":{"type":"boolean"},"vptGrps":{"type":"array","items":{}},"useLandmarkCategoryFilter":{"type":"boolean"},"landmarkCategories":{"type":"array","items":{}},"useConnectionLimit":{"type":"boolean"}}};

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
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.id === undefined) && (missing0 = "id")) || ((data.loginId === undefined) && (missing0 = "loginId"))) || ((data.name === undefined) && (missing0 = "name"))) || ((data.isAdmin === undefined) && (missing0 = "isAdmin"))){
validate46.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema65.required,parentSchema:schema65,data}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
const _errs1 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate46.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema65.properties.id.type,parentSchema:schema65.properties.id,data:data0}];
return false;
}
if(errors === _errs1){
if((typeof data0 == "number") && (isFinite(data0))){
if(!(formats8.validate(data0))){
validate46.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema65.properties.id,data:data0}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.loginId !== undefined){
let data1 = data.loginId;
const _errs3 = errors;
if(typeof data1 !== "string"){
validate46.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema65.properties.loginId.type,parentSchema:schema65.properties.loginId,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate46.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema65.properties.name.type,parentSchema:schema65.properties.name,data:data2}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isAdmin !== undefined){
let data3 = data.isAdmin;
const _errs7 = errors;
if(typeof data3 !== "boolean"){
validate46.errors = [{instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.isAdmin.type,parentSchema:schema65.properties.isAdmin,data:data3}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useChat !== undefined){
let data4 = data.useChat;
const _errs9 = errors;
if(typeof data4 !== "boolean"){
validate46.errors = [{instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useChat.type,parentSchema:schema65.properties.useChat,data:data4}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.functionRestriction !== undefined){
let data5 = data.functionRestriction;
const _errs11 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate46.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema65.properties.functionRestriction.type,parentSchema:schema65.properties.functionRestriction,data:data5}];
return false;
}
if(errors === _errs11){
if((typeof data5 == "number") && (isFinite(data5))){
if(!(formats8.validate(data5))){
validate46.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema65.properties.functionRestriction,data:data5}];
return false;
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useIndivFilter !== undefined){
let data6 = data.useIndivFilter;
const _errs13 = errors;
if(typeof data6 !== "boolean"){
validate46.errors = [{instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useIndivFilter.type,parentSchema:schema65.properties.useIndivFilter,data:data6}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.indivs !== undefined){
let data7 = data.indivs;
const _errs15 = errors;
if(errors === _errs15){
if(!(Array.isArray(data7))){
validate46.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/properties/indivs/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema65.properties.indivs.type,parentSchema:schema65.properties.indivs,data:data7}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useVPTGrpFilter !== undefined){
let data8 = data.useVPTGrpFilter;
const _errs17 = errors;
if(typeof data8 !== "boolean"){
validate46.errors = [{instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useVPTGrpFilter.type,parentSchema:schema65.properties.useVPTGrpFilter,data:data8}];
return false;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vptGrps !== undefined){
let data9 = data.vptGrps;
const _errs19 = errors;
if(errors === _errs19){
if(!(Array.isArray(data9))){
validate46.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/properties/vptGrps/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema65.properties.vptGrps.type,parentSchema:schema65.properties.vptGrps,data:data9}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useLandmarkCategoryFilter !== undefined){
let data10 = data.useLandmarkCategoryFilter;
const _errs21 = errors;
if(typeof data10 !== "boolean"){
validate46.errors = [{instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useLandmarkCategoryFilter.type,parentSchema:schema65.properties.useLandmarkCategoryFilter,data:data10}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.landmarkCategories !== undefined){
let data11 = data.landmarkCategories;
const _errs23 = errors;
if(errors === _errs23){
if(!(Array.isArray(data11))){
validate46.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/properties/landmarkCategories/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema65.properties.landmarkCategories.type,parentSchema:schema65.properties.landmarkCategories,data:data11}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useConnectionLimit !== undefined){
let data12 = data.useConnectionLimit;
const _errs25 = errors;
if(typeof data12 !== "boolean"){
validate46.errors = [{instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useConnectionLimit.type,parentSchema:schema65.properties.useConnectionLimit,data:data12}];
return false;
}
var valid0 = _errs25 === errors;
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
validate46.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema65.type,parentSchema:schema65,data}];
return false;
}
}
validate46.errors = vErrors;
return errors === 0;
}
validate46.evaluated = {"props":{"id":true,"loginId":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};

export const UserAccountInput = validate47;
const schema66 = {"type":"object","required":["loginId"],"properties":{"loginId":{"type":"string","minLength":1},"password":{"type":"string"},"name":{"type":"string"},"isAdmin":{"type":"boolean"},"useChat":{"type":"boolean"},"functionRestriction":{"type":"integer"},"useIndivFilter":{"type":"boolean"},"indivs":{"type":"array","items":{}},"useVPTGrpFilter":{"type":"boolean"},"vptGrps":{"type":"array","items":{}},"useLandmarkCategoryFilter":{"type":"boolean"},"landmarkCategories":{"type":"array","items":{}},"useConnectionLimit":{"type":"boolean"}}};

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
if((data.loginId === undefined) && (missing0 = "loginId")){
validate47.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema66.required,parentSchema:schema66,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func1(data0) < 1){
validate47.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema66.properties.loginId,data:data0}];
return false;
}
}
else {
validate47.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema66.properties.loginId.type,parentSchema:schema66.properties.loginId,data:data0}];
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
if(typeof data1 !== "string"){
validate47.errors = [{instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema66.properties.password.type,parentSchema:schema66.properties.password,data:data1}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs5 = errors;
if(typeof data2 !== "string"){
validate47.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema66.properties.name.type,parentSchema:schema66.properties.name,data:data2}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isAdmin !== undefined){
let data3 = data.isAdmin;
const _errs7 = errors;
if(typeof data3 !== "boolean"){
validate47.errors = [{instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema66.properties.isAdmin.type,parentSchema:schema66.properties.isAdmin,data:data3}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useChat !== undefined){
let data4 = data.useChat;
const _errs9 = errors;
if(typeof data4 !== "boolean"){
validate47.errors = [{instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema66.properties.useChat.type,parentSchema:schema66.properties.useChat,data:data4}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.functionRestriction !== undefined){
let data5 = data.functionRestriction;
const _errs11 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate47.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema66.properties.functionRestriction.type,parentSchema:schema66.properties.functionRestriction,data:data5}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useIndivFilter !== undefined){
let data6 = data.useIndivFilter;
const _errs13 = errors;
if(typeof data6 !== "boolean"){
validate47.errors = [{instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema66.properties.useIndivFilter.type,parentSchema:schema66.properties.useIndivFilter,data:data6}];
return false;
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.indivs !== undefined){
let data7 = data.indivs;
const _errs15 = errors;
if(errors === _errs15){
if(!(Array.isArray(data7))){
validate47.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/properties/indivs/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema66.properties.indivs.type,parentSchema:schema66.properties.indivs,data:data7}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useVPTGrpFilter !== undefined){
let data8 = data.useVPTGrpFilter;
const _errs17 = errors;
if(typeof data8 !== "boolean"){
validate47.errors = [{instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema66.properties.useVPTGrpFilter.type,parentSchema:schema66.properties.useVPTGrpFilter,data:data8}];
return false;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vptGrps !== undefined){
let data9 = data.vptGrps;
const _errs19 = errors;
if(errors === _errs19){
if(!(Array.isArray(data9))){
validate47.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/properties/vptGrps/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema66.properties.vptGrps.type,parentSchema:schema66.properties.vptGrps,data:data9}];
return false;
}
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useLandmarkCategoryFilter !== undefined){
let data10 = data.useLandmarkCategoryFilter;
const _errs21 = errors;
if(typeof data10 !== "boolean"){
validate47.errors = [{instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema66.properties.useLandmarkCategoryFilter.type,parentSchema:schema66.properties.useLandmarkCategoryFilter,data:data10}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.landmarkCategories !== undefined){
let data11 = data.landmarkCategories;
const _errs23 = errors;
if(errors === _errs23){
if(!(Array.isArray(data11))){
validate47.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/properties/landmarkCategories/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema66.properties.landmarkCategories.type,parentSchema:schema66.properties.landmarkCategories,data:data11}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useConnectionLimit !== undefined){
let data12 = data.useConnectionLimit;
const _errs25 = errors;
if(typeof data12 !== "boolean"){
validate47.errors = [{instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema66.properties.useConnectionLimit.type,parentSchema:schema66.properties.useConnectionLimit,data:data12}];
return false;
}
var valid0 = _errs25 === errors;
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
validate47.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema66.type,parentSchema:schema66,data}];
return false;
}
}
validate47.errors = vErrors;
return errors === 0;
}
validate47.evaluated = {"props":{"loginId":true,"password":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};

export const UserAccountPage = validate48;
const schema67 = {"type":"object","required":["items"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/UserAccount"}},"nextCursor":{"type":"string"}}};

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
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.items === undefined) && (missing0 = "items")){
validate48.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schema67.required,parentSchema:schema67,data}];
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
if(((((data1.id === undefined) && (missing1 = "id")) || ((data1.loginId === undefined) && (missing1 = "loginId"))) || ((data1.name === undefined) && (missing1 = "name"))) || ((data1.isAdmin === undefined) && (missing1 = "isAdmin"))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0,schemaPath:"#/components/schemas/UserAccount/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schema65.required,parentSchema:schema65,data:data1}];
return false;
}
else {
if(data1.id !== undefined){
let data2 = data1.id;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/id",schemaPath:"#/components/schemas/UserAccount/properties/id/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema65.properties.id.type,parentSchema:schema65.properties.id,data:data2}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats8.validate(data2))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/id",schemaPath:"#/components/schemas/UserAccount/properties/id/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema65.properties.id,data:data2}];
return false;
}
}
}
var valid3 = _errs6 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.loginId !== undefined){
let data3 = data1.loginId;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/loginId",schemaPath:"#/components/schemas/UserAccount/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema65.properties.loginId.type,parentSchema:schema65.properties.loginId,data:data3}];
return false;
}
var valid3 = _errs8 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.name !== undefined){
let data4 = data1.name;
const _errs10 = errors;
if(typeof data4 !== "string"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/name",schemaPath:"#/components/schemas/UserAccount/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema65.properties.name.type,parentSchema:schema65.properties.name,data:data4}];
return false;
}
var valid3 = _errs10 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.isAdmin !== undefined){
let data5 = data1.isAdmin;
const _errs12 = errors;
if(typeof data5 !== "boolean"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/isAdmin",schemaPath:"#/components/schemas/UserAccount/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.isAdmin.type,parentSchema:schema65.properties.isAdmin,data:data5}];
return false;
}
var valid3 = _errs12 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.useChat !== undefined){
let data6 = data1.useChat;
const _errs14 = errors;
if(typeof data6 !== "boolean"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/useChat",schemaPath:"#/components/schemas/UserAccount/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useChat.type,parentSchema:schema65.properties.useChat,data:data6}];
return false;
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.functionRestriction !== undefined){
let data7 = data1.functionRestriction;
const _errs16 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/functionRestriction",schemaPath:"#/components/schemas/UserAccount/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema65.properties.functionRestriction.type,parentSchema:schema65.properties.functionRestriction,data:data7}];
return false;
}
if(errors === _errs16){
if((typeof data7 == "number") && (isFinite(data7))){
if(!(formats8.validate(data7))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/functionRestriction",schemaPath:"#/components/schemas/UserAccount/properties/functionRestriction/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schema65.properties.functionRestriction,data:data7}];
return false;
}
}
}
var valid3 = _errs16 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.useIndivFilter !== undefined){
let data8 = data1.useIndivFilter;
const _errs18 = errors;
if(typeof data8 !== "boolean"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/useIndivFilter",schemaPath:"#/components/schemas/UserAccount/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useIndivFilter.type,parentSchema:schema65.properties.useIndivFilter,data:data8}];
return false;
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.indivs !== undefined){
let data9 = data1.indivs;
const _errs20 = errors;
if(errors === _errs20){
if(!(Array.isArray(data9))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/indivs",schemaPath:"#/components/schemas/UserAccount/properties/indivs/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema65.properties.indivs.type,parentSchema:schema65.properties.indivs,data:data9}];
return false;
}
}
var valid3 = _errs20 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.useVPTGrpFilter !== undefined){
let data10 = data1.useVPTGrpFilter;
const _errs22 = errors;
if(typeof data10 !== "boolean"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/useVPTGrpFilter",schemaPath:"#/components/schemas/UserAccount/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useVPTGrpFilter.type,parentSchema:schema65.properties.useVPTGrpFilter,data:data10}];
return false;
}
var valid3 = _errs22 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.vptGrps !== undefined){
let data11 = data1.vptGrps;
const _errs24 = errors;
if(errors === _errs24){
if(!(Array.isArray(data11))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/vptGrps",schemaPath:"#/components/schemas/UserAccount/properties/vptGrps/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema65.properties.vptGrps.type,parentSchema:schema65.properties.vptGrps,data:data11}];
return false;
}
}
var valid3 = _errs24 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.useLandmarkCategoryFilter !== undefined){
let data12 = data1.useLandmarkCategoryFilter;
const _errs26 = errors;
if(typeof data12 !== "boolean"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/useLandmarkCategoryFilter",schemaPath:"#/components/schemas/UserAccount/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useLandmarkCategoryFilter.type,parentSchema:schema65.properties.useLandmarkCategoryFilter,data:data12}];
return false;
}
var valid3 = _errs26 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.landmarkCategories !== undefined){
let data13 = data1.landmarkCategories;
const _errs28 = errors;
if(errors === _errs28){
if(!(Array.isArray(data13))){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/landmarkCategories",schemaPath:"#/components/schemas/UserAccount/properties/landmarkCategories/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema65.properties.landmarkCategories.type,parentSchema:schema65.properties.landmarkCategories,data:data13}];
return false;
}
}
var valid3 = _errs28 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data1.useConnectionLimit !== undefined){
let data14 = data1.useConnectionLimit;
const _errs30 = errors;
if(typeof data14 !== "boolean"){
validate48.errors = [{instancePath:instancePath+"/items/" + i0+"/useConnectionLimit",schemaPath:"#/components/schemas/UserAccount/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema65.properties.useConnectionLimit.type,parentSchema:schema65.properties.useConnectionLimit,data:data14}];
return false;
}
var valid3 = _errs30 === errors;
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
}
}
}
}
}
}
else {
validate48.errors = [{instancePath:instancePath+"/items/" + i0,schemaPath:"#/components/schemas/UserAccount/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema65.type,parentSchema:schema65,data:data1}];
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
validate48.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema67.properties.items.type,parentSchema:schema67.properties.items,data:data0}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.nextCursor !== undefined){
let data15 = data.nextCursor;
const _errs32 = errors;
if(typeof data15 !== "string"){
validate48.errors = [{instancePath:instancePath+"/nextCursor",schemaPath:"#/properties/nextCursor/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema67.properties.nextCursor.type,parentSchema:schema67.properties.nextCursor,data:data15}];
return false;
}
var valid0 = _errs32 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate48.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema67.type,parentSchema:schema67,data}];
return false;
}
}
validate48.errors = vErrors;
return errors === 0;
}
validate48.evaluated = {"props":{"items":true,"nextCursor":true},"dynamicProps":false,"dynamicItems":false};

