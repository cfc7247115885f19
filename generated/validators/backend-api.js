// Generated from ./openapi/backend-api.yaml; run `npm run codegen` instead of editing.
import formats from 'ajv-formats/dist/formats.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
const formats_349c6e49 = formats.fullFormats["date-time"];
const formats_79799640 = formats.fullFormats.int32;
const func_e360621c = ucs2length.default;
const pattern_0e89971e = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$", "u");
const pattern_51128e45 = new RegExp("^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$", "u");
const schemaCreatedUserAccount = {"type":"object","required":["id"],"properties":{"id":{"$ref":"Identifier"}}};
const schemaDrivingRecord = {"type":"object","required":["mobileId","trips"],"properties":{"mobileId":{"type":"string"},"trips":{"type":"array","maxItems":10000,"items":{"$ref":"Trip"}}}};
const schemaFailure = {"type":"object","required":["message"],"properties":{"message":{"type":"string"}}};
const schemaFix = {"type":"object","required":["time","lat","lng"],"properties":{"time":{"type":"string","format":"date-time"},"lat":{"type":"number"},"lng":{"type":"number"}}};
const schemaIdentifier = {"description":"Exact in every JSON parser (RFC 7493, section 2.2)","type":"integer","minimum":-9007199254740991,"maximum":9007199254740991};
const schemaLoginReply = {"type":"object","description":"Without a demand for a one-time password there is a session","required":["otpRequired"],"properties":{"otpRequired":{"type":"boolean"},"session":{"$ref":"Session"},"challenge":{"type":"string","description":"Ties the one-time password to this password step"}},"if":{"properties":{"otpRequired":{"const":false}}},"then":{"required":["session"]}};
const schemaLoginRequest = {"type":"object","required":["loginId","password"],"properties":{"loginId":{"type":"string"},"password":{"type":"string"}}};
const schemaMobile = {"type":"object","required":["id","num","name","tagIds","position"],"properties":{"id":{"$ref":"Identifier"},"num":{"type":"string"},"name":{"type":"string"},"tagIds":{"type":"array","maxItems":1000,"items":{"$ref":"Identifier"}},"position":{"anyOf":[{"$ref":"Position"},{"type":"null"}]}}};
const schemaMobileIds = {"type":"object","required":["ids"],"properties":{"ids":{"type":"array","items":{"type":"string"}}}};
const schemaMobilePage = {"type":"object","required":["items"],"properties":{"items":{"type":"array","description":"At most `limit`; a longer page is refused as a whole","items":{"$ref":"Mobile"}},"nextCursor":{"type":"string","description":"Absent or empty when no page follows"},"total":{"type":"integer","format":"int32","minimum":0,"description":"Entries of all pages; absent when not counted"}}};
const schemaMobilePatch = {"type":"object","properties":{"num":{"type":"string"},"name":{"type":"string"},"tagIds":{"type":"array","items":{"$ref":"Identifier"}}}};
const schemaOtpDelivery = {"type":"object","required":["sentTo","expiresIn"],"properties":{"sentTo":{"type":"string"},"expiresIn":{"type":"integer","format":"int32","description":"seconds"}}};
const schemaOtpRequest = {"type":"object","required":["loginId"],"properties":{"loginId":{"type":"string"}}};
const schemaOtpVerification = {"type":"object","description":"A challenge or a code ends after a few wrong tries, wherever they come from","required":["loginId","code"],"properties":{"loginId":{"type":"string"},"code":{"type":"string"},"challenge":{"type":"string"}}};
const schemaPosition = {"type":"object","required":["lat","lng","speedKmh","heading","recordedAt"],"properties":{"lat":{"type":"number"},"lng":{"type":"number"},"speedKmh":{"type":"number"},"heading":{"type":"number","description":"degrees clockwise from north"},"recordedAt":{"type":"string","format":"date-time","description":"RFC 3339 with capital letters and without leap seconds, which ECMAScript cannot represent","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"}}};
const schemaPublicKey = {"type":"object","required":["pem"],"properties":{"kid":{"type":"string","minLength":1},"pem":{"type":"string","description":"RSA public key, SPKI, PEM form"}}};
const schemaPublicKeys = {"type":"object","required":["keys"],"properties":{"keys":{"type":"array","maxItems":20,"items":{"$ref":"PublicKey"}}}};
const schemaRefreshRequest = {"type":"object","required":["refreshToken"],"properties":{"refreshToken":{"type":"string"}}};
const schemaSession = {"type":"object","required":["accessToken","refreshToken","expiresIn"],"properties":{"accessToken":{"type":"string"},"refreshToken":{"type":"string"},"expiresIn":{"type":"integer","format":"int32","description":"seconds"}}};
const schemaTag = {"type":"object","required":["id","name"],"properties":{"id":{"$ref":"Identifier"},"name":{"type":"string"}}};
const schemaTags = {"type":"object","required":["items"],"properties":{"items":{"type":"array","maxItems":10000,"items":{"$ref":"Tag"}}}};
const schemaTrackPoint = {"type":"object","required":["time","lat","lng","speedKmh"],"properties":{"time":{"type":"string","format":"date-time"},"lat":{"type":"number"},"lng":{"type":"number"},"speedKmh":{"type":"number"}}};
const schemaTrip = {"type":"object","required":["start","end","distanceMeters","stopCount","maxSpeedKmh","idleSeconds","track"],"properties":{"start":{"$ref":"Fix"},"end":{"$ref":"Fix"},"distanceMeters":{"type":"number"},"stopCount":{"type":"integer"},"maxSpeedKmh":{"type":"number"},"idleSeconds":{"type":"number"},"track":{"type":"array","items":{"$ref":"TrackPoint"}}}};
const schemaUserAccount = {"type":"object","required":["id","loginId","name","isAdmin"],"properties":{"id":{"$ref":"Identifier"},"loginId":{"type":"string"},"name":{"type":"string"},"isAdmin":{"type":"boolean"},"useChat":{"type":"boolean"},"functionRestriction":{"type":"integer","format":"int32"},"useIndivFilter":{"type":"boolean"},"indivs":{"type":"array","items":{}},"useVPTGrpFilter":{"type":"boolean"},"vptGrps":{"type":"array","items":{}},"useLandmarkCategoryFilter":{"type":"boolean"},"landmarkCategories":{"type":"array","items":{}},"useConnectionLimit":{"type":"boolean"}}};
const schemaUserAccountInput = {"type":"object","required":["loginId"],"properties":{"loginId":{"type":"string","minLength":1},"password":{"type":"string"},"name":{"type":"string"},"isAdmin":{"type":"boolean"},"useChat":{"type":"boolean"},"functionRestriction":{"type":"integer"},"useIndivFilter":{"type":"boolean"},"indivs":{"type":"array","items":{}},"useVPTGrpFilter":{"type":"boolean"},"vptGrps":{"type":"array","items":{}},"useLandmarkCategoryFilter":{"type":"boolean"},"landmarkCategories":{"type":"array","items":{}},"useConnectionLimit":{"type":"boolean"}}};
const schemaUserAccountPage = {"type":"object","required":["items"],"properties":{"items":{"type":"array","description":"At most `limit`; a longer page is refused as a whole","items":{"$ref":"UserAccount"}},"nextCursor":{"type":"string","description":"Absent or empty when no page follows"},"total":{"type":"integer","format":"int32","minimum":0,"description":"Entries of all pages; absent when not counted"}}};
export const CreatedUserAccount = validateCreatedUserAccount;
export const DrivingRecord = validateDrivingRecord;
export const Failure = validateFailure;
export const Fix = validateFix;
export const Identifier = validateIdentifier;
export const LoginReply = validateLoginReply;
export const LoginRequest = validateLoginRequest;
export const Mobile = validateMobile;
export const MobileIds = validateMobileIds;
export const MobilePage = validateMobilePage;
export const MobilePatch = validateMobilePatch;
export const OtpDelivery = validateOtpDelivery;
export const OtpRequest = validateOtpRequest;
export const OtpVerification = validateOtpVerification;
export const Position = validatePosition;
export const PublicKey = validatePublicKey;
export const PublicKeys = validatePublicKeys;
export const RefreshRequest = validateRefreshRequest;
export const Session = validateSession;
export const Tag = validateTag;
export const Tags = validateTags;
export const TrackPoint = validateTrackPoint;
export const Trip = validateTrip;
export const UserAccount = validateUserAccount;
export const UserAccountInput = validateUserAccountInput;
export const UserAccountPage = validateUserAccountPage;
function validateCreatedUserAccount(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateCreatedUserAccount.evaluated;
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
validateCreatedUserAccount.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaCreatedUserAccount.required,parentSchema:schemaCreatedUserAccount,data}];
return false;
}
else {
if(data.id !== undefined){
if(!(validateIdentifier(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
}
}
}
}
else {
validateCreatedUserAccount.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaCreatedUserAccount.type,parentSchema:schemaCreatedUserAccount,data}];
return false;
}
}
validateCreatedUserAccount.errors = vErrors;
return errors === 0;
}
function validateDrivingRecord(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateDrivingRecord.evaluated;
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
validateDrivingRecord.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaDrivingRecord.required,parentSchema:schemaDrivingRecord,data}];
return false;
}
else {
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs1 = errors;
if(typeof data0 !== "string"){
validateDrivingRecord.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDrivingRecord.properties.mobileId.type,parentSchema:schemaDrivingRecord.properties.mobileId,data:data0}];
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
if(data1.length > 10000){
validateDrivingRecord.errors = [{instancePath:instancePath+"/trips",schemaPath:"#/properties/trips/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items",schema:10000,parentSchema:schemaDrivingRecord.properties.trips,data:data1}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
const _errs5 = errors;
if(!(validateTrip(data1[i0], {instancePath:instancePath+"/trips/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateTrip.errors : vErrors.concat(validateTrip.errors);
errors = vErrors.length;
}
var valid1 = _errs5 === errors;
if(!valid1){
break;
}
}
}
}
else {
validateDrivingRecord.errors = [{instancePath:instancePath+"/trips",schemaPath:"#/properties/trips/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaDrivingRecord.properties.trips.type,parentSchema:schemaDrivingRecord.properties.trips,data:data1}];
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
validateDrivingRecord.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaDrivingRecord.type,parentSchema:schemaDrivingRecord,data}];
return false;
}
}
validateDrivingRecord.errors = vErrors;
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
function validateFix(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateFix.evaluated;
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
validateFix.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaFix.required,parentSchema:schemaFix,data}];
return false;
}
else {
if(data.time !== undefined){
let data0 = data.time;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(pattern_51128e45.test(data0) || formats_349c6e49.validate(data0))){
validateFix.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schemaFix.properties.time,data:data0}];
return false;
}
}
else {
validateFix.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaFix.properties.time.type,parentSchema:schemaFix.properties.time,data:data0}];
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
validateFix.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaFix.properties.lat.type,parentSchema:schemaFix.properties.lat,data:data1}];
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
validateFix.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaFix.properties.lng.type,parentSchema:schemaFix.properties.lng,data:data2}];
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
validateFix.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaFix.type,parentSchema:schemaFix,data}];
return false;
}
}
validateFix.errors = vErrors;
return errors === 0;
}
function validateIdentifier(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateIdentifier.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(!(((typeof data == "number") && (!(data % 1) && !isNaN(data))) && (isFinite(data)))){
validateIdentifier.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaIdentifier.type,parentSchema:schemaIdentifier,data}];
return false;
}
if(errors === 0){
if((typeof data == "number") && (isFinite(data))){
if(data > 9007199254740991 || isNaN(data)){
validateIdentifier.errors = [{instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991",schema:9007199254740991,parentSchema:schemaIdentifier,data}];
return false;
}
else {
if(data < -9007199254740991 || isNaN(data)){
validateIdentifier.errors = [{instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991},message:"must be >= -9007199254740991",schema:-9007199254740991,parentSchema:schemaIdentifier,data}];
return false;
}
}
}
}
validateIdentifier.errors = vErrors;
return errors === 0;
}
function validateLoginReply(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateLoginReply.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.otpRequired !== undefined){
if(false !== data.otpRequired){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.session === undefined) && (missing0 = "session")){
validateLoginReply.errors = [{instancePath,schemaPath:"#/then/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaLoginReply.then.required,parentSchema:schemaLoginReply.then,data}];
return false;
}
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
}
if(!valid0){
const err1 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema",schema:schemaLoginReply.if,parentSchema:schemaLoginReply,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validateLoginReply.errors = vErrors;
return false;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if((data.otpRequired === undefined) && (missing1 = "otpRequired")){
validateLoginReply.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schemaLoginReply.required,parentSchema:schemaLoginReply,data}];
return false;
}
else {
if(data.otpRequired !== undefined){
let data1 = data.otpRequired;
const _errs5 = errors;
if(typeof data1 !== "boolean"){
validateLoginReply.errors = [{instancePath:instancePath+"/otpRequired",schemaPath:"#/properties/otpRequired/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaLoginReply.properties.otpRequired.type,parentSchema:schemaLoginReply.properties.otpRequired,data:data1}];
return false;
}
var valid2 = _errs5 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.session !== undefined){
const _errs7 = errors;
if(!(validateSession(data.session, {instancePath:instancePath+"/session",parentData:data,parentDataProperty:"session",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateSession.errors : vErrors.concat(validateSession.errors);
errors = vErrors.length;
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data.challenge !== undefined){
let data3 = data.challenge;
const _errs8 = errors;
if(typeof data3 !== "string"){
validateLoginReply.errors = [{instancePath:instancePath+"/challenge",schemaPath:"#/properties/challenge/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaLoginReply.properties.challenge.type,parentSchema:schemaLoginReply.properties.challenge,data:data3}];
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
validateLoginReply.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaLoginReply.type,parentSchema:schemaLoginReply,data}];
return false;
}
}
validateLoginReply.errors = vErrors;
return errors === 0;
}
function validateLoginRequest(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateLoginRequest.evaluated;
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
validateLoginRequest.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaLoginRequest.required,parentSchema:schemaLoginRequest,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(typeof data0 !== "string"){
validateLoginRequest.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaLoginRequest.properties.loginId.type,parentSchema:schemaLoginRequest.properties.loginId,data:data0}];
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
validateLoginRequest.errors = [{instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaLoginRequest.properties.password.type,parentSchema:schemaLoginRequest.properties.password,data:data1}];
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
validateLoginRequest.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaLoginRequest.type,parentSchema:schemaLoginRequest,data}];
return false;
}
}
validateLoginRequest.errors = vErrors;
return errors === 0;
}
function validateMobile(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateMobile.evaluated;
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
validateMobile.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaMobile.required,parentSchema:schemaMobile,data}];
return false;
}
else {
if(data.id !== undefined){
const _errs1 = errors;
if(!(validateIdentifier(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.num !== undefined){
let data1 = data.num;
const _errs2 = errors;
if(typeof data1 !== "string"){
validateMobile.errors = [{instancePath:instancePath+"/num",schemaPath:"#/properties/num/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaMobile.properties.num.type,parentSchema:schemaMobile.properties.num,data:data1}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs4 = errors;
if(typeof data2 !== "string"){
validateMobile.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaMobile.properties.name.type,parentSchema:schemaMobile.properties.name,data:data2}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tagIds !== undefined){
let data3 = data.tagIds;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data3)){
if(data3.length > 1000){
validateMobile.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schemaMobile.properties.tagIds,data:data3}];
return false;
}
else {
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
const _errs8 = errors;
if(!(validateIdentifier(data3[i0], {instancePath:instancePath+"/tagIds/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
}
else {
validateMobile.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaMobile.properties.tagIds.type,parentSchema:schemaMobile.properties.tagIds,data:data3}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.position !== undefined){
let data5 = data.position;
const _errs9 = errors;
const _errs10 = errors;
let valid2 = false;
const _errs11 = errors;
if(!(validatePosition(data5, {instancePath:instancePath+"/position",parentData:data,parentDataProperty:"position",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validatePosition.errors : vErrors.concat(validatePosition.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid2 = valid2 || _valid0;
if(_valid0){
var props0 = {};
props0.lat = true;
props0.lng = true;
props0.speedKmh = true;
props0.heading = true;
props0.recordedAt = true;
}
const _errs12 = errors;
if(data5 !== null){
const err0 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null",schema:schemaMobile.properties.position.anyOf[1].type,parentSchema:schemaMobile.properties.position.anyOf[1],data:data5};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs12 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err1 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf",schema:schemaMobile.properties.position.anyOf,parentSchema:schemaMobile.properties.position,data:data5};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
validateMobile.errors = vErrors;
return false;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
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
validateMobile.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaMobile.type,parentSchema:schemaMobile,data}];
return false;
}
}
validateMobile.errors = vErrors;
return errors === 0;
}
function validateMobileIds(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateMobileIds.evaluated;
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
validateMobileIds.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaMobileIds.required,parentSchema:schemaMobileIds,data}];
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
validateMobileIds.errors = [{instancePath:instancePath+"/ids/" + i0,schemaPath:"#/properties/ids/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaMobileIds.properties.ids.items.type,parentSchema:schemaMobileIds.properties.ids.items,data:data1}];
return false;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validateMobileIds.errors = [{instancePath:instancePath+"/ids",schemaPath:"#/properties/ids/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaMobileIds.properties.ids.type,parentSchema:schemaMobileIds.properties.ids,data:data0}];
return false;
}
}
}
}
}
else {
validateMobileIds.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaMobileIds.type,parentSchema:schemaMobileIds,data}];
return false;
}
}
validateMobileIds.errors = vErrors;
return errors === 0;
}
function validateMobilePage(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateMobilePage.evaluated;
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
validateMobilePage.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaMobilePage.required,parentSchema:schemaMobilePage,data}];
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
if(!(validateMobile(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateMobile.errors : vErrors.concat(validateMobile.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validateMobilePage.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaMobilePage.properties.items.type,parentSchema:schemaMobilePage.properties.items,data:data0}];
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
validateMobilePage.errors = [{instancePath:instancePath+"/nextCursor",schemaPath:"#/properties/nextCursor/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaMobilePage.properties.nextCursor.type,parentSchema:schemaMobilePage.properties.nextCursor,data:data2}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.total !== undefined){
let data3 = data.total;
const _errs6 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validateMobilePage.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaMobilePage.properties.total.type,parentSchema:schemaMobilePage.properties.total,data:data3}];
return false;
}
if(errors === _errs6){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validateMobilePage.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schemaMobilePage.properties.total,data:data3}];
return false;
}
else {
if(!(formats_79799640.validate(data3))){
validateMobilePage.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schemaMobilePage.properties.total,data:data3}];
return false;
}
}
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
validateMobilePage.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaMobilePage.type,parentSchema:schemaMobilePage,data}];
return false;
}
}
validateMobilePage.errors = vErrors;
return errors === 0;
}
function validateMobilePatch(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateMobilePatch.evaluated;
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
validateMobilePatch.errors = [{instancePath:instancePath+"/num",schemaPath:"#/properties/num/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaMobilePatch.properties.num.type,parentSchema:schemaMobilePatch.properties.num,data:data0}];
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
validateMobilePatch.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaMobilePatch.properties.name.type,parentSchema:schemaMobilePatch.properties.name,data:data1}];
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
const _errs7 = errors;
if(!(validateIdentifier(data2[i0], {instancePath:instancePath+"/tagIds/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
}
var valid1 = _errs7 === errors;
if(!valid1){
break;
}
}
}
else {
validateMobilePatch.errors = [{instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaMobilePatch.properties.tagIds.type,parentSchema:schemaMobilePatch.properties.tagIds,data:data2}];
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
validateMobilePatch.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaMobilePatch.type,parentSchema:schemaMobilePatch,data}];
return false;
}
}
validateMobilePatch.errors = vErrors;
return errors === 0;
}
function validateOtpDelivery(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOtpDelivery.evaluated;
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
validateOtpDelivery.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaOtpDelivery.required,parentSchema:schemaOtpDelivery,data}];
return false;
}
else {
if(data.sentTo !== undefined){
let data0 = data.sentTo;
const _errs1 = errors;
if(typeof data0 !== "string"){
validateOtpDelivery.errors = [{instancePath:instancePath+"/sentTo",schemaPath:"#/properties/sentTo/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaOtpDelivery.properties.sentTo.type,parentSchema:schemaOtpDelivery.properties.sentTo,data:data0}];
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
validateOtpDelivery.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaOtpDelivery.properties.expiresIn.type,parentSchema:schemaOtpDelivery.properties.expiresIn,data:data1}];
return false;
}
if(errors === _errs3){
if((typeof data1 == "number") && (isFinite(data1))){
if(!(formats_79799640.validate(data1))){
validateOtpDelivery.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schemaOtpDelivery.properties.expiresIn,data:data1}];
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
validateOtpDelivery.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaOtpDelivery.type,parentSchema:schemaOtpDelivery,data}];
return false;
}
}
validateOtpDelivery.errors = vErrors;
return errors === 0;
}
function validateOtpRequest(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOtpRequest.evaluated;
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
validateOtpRequest.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaOtpRequest.required,parentSchema:schemaOtpRequest,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
if(typeof data0 !== "string"){
validateOtpRequest.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaOtpRequest.properties.loginId.type,parentSchema:schemaOtpRequest.properties.loginId,data:data0}];
return false;
}
}
}
}
else {
validateOtpRequest.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaOtpRequest.type,parentSchema:schemaOtpRequest,data}];
return false;
}
}
validateOtpRequest.errors = vErrors;
return errors === 0;
}
function validateOtpVerification(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOtpVerification.evaluated;
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
validateOtpVerification.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaOtpVerification.required,parentSchema:schemaOtpVerification,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(typeof data0 !== "string"){
validateOtpVerification.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaOtpVerification.properties.loginId.type,parentSchema:schemaOtpVerification.properties.loginId,data:data0}];
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
validateOtpVerification.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaOtpVerification.properties.code.type,parentSchema:schemaOtpVerification.properties.code,data:data1}];
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
validateOtpVerification.errors = [{instancePath:instancePath+"/challenge",schemaPath:"#/properties/challenge/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaOtpVerification.properties.challenge.type,parentSchema:schemaOtpVerification.properties.challenge,data:data2}];
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
validateOtpVerification.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaOtpVerification.type,parentSchema:schemaOtpVerification,data}];
return false;
}
}
validateOtpVerification.errors = vErrors;
return errors === 0;
}
function validatePosition(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePosition.evaluated;
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
validatePosition.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPosition.required,parentSchema:schemaPosition,data}];
return false;
}
else {
if(data.lat !== undefined){
let data0 = data.lat;
const _errs1 = errors;
if(!((typeof data0 == "number") && (isFinite(data0)))){
validatePosition.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaPosition.properties.lat.type,parentSchema:schemaPosition.properties.lat,data:data0}];
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
validatePosition.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaPosition.properties.lng.type,parentSchema:schemaPosition.properties.lng,data:data1}];
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
validatePosition.errors = [{instancePath:instancePath+"/speedKmh",schemaPath:"#/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaPosition.properties.speedKmh.type,parentSchema:schemaPosition.properties.speedKmh,data:data2}];
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
validatePosition.errors = [{instancePath:instancePath+"/heading",schemaPath:"#/properties/heading/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaPosition.properties.heading.type,parentSchema:schemaPosition.properties.heading,data:data3}];
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
if(!pattern_0e89971e.test(data4)){
validatePosition.errors = [{instancePath:instancePath+"/recordedAt",schemaPath:"#/properties/recordedAt/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"},message:"must match pattern \""+"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"+"\"",schema:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",parentSchema:schemaPosition.properties.recordedAt,data:data4}];
return false;
}
else {
if(!(pattern_51128e45.test(data4) || formats_349c6e49.validate(data4))){
validatePosition.errors = [{instancePath:instancePath+"/recordedAt",schemaPath:"#/properties/recordedAt/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schemaPosition.properties.recordedAt,data:data4}];
return false;
}
}
}
else {
validatePosition.errors = [{instancePath:instancePath+"/recordedAt",schemaPath:"#/properties/recordedAt/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaPosition.properties.recordedAt.type,parentSchema:schemaPosition.properties.recordedAt,data:data4}];
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
validatePosition.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPosition.type,parentSchema:schemaPosition,data}];
return false;
}
}
validatePosition.errors = vErrors;
return errors === 0;
}
function validatePublicKey(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePublicKey.evaluated;
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
validatePublicKey.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPublicKey.required,parentSchema:schemaPublicKey,data}];
return false;
}
else {
if(data.kid !== undefined){
let data0 = data.kid;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(data0.length < 1 && func_e360621c(data0) < 1){
validatePublicKey.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schemaPublicKey.properties.kid,data:data0}];
return false;
}
}
else {
validatePublicKey.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaPublicKey.properties.kid.type,parentSchema:schemaPublicKey.properties.kid,data:data0}];
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
validatePublicKey.errors = [{instancePath:instancePath+"/pem",schemaPath:"#/properties/pem/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaPublicKey.properties.pem.type,parentSchema:schemaPublicKey.properties.pem,data:data1}];
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
validatePublicKey.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPublicKey.type,parentSchema:schemaPublicKey,data}];
return false;
}
}
validatePublicKey.errors = vErrors;
return errors === 0;
}
function validatePublicKeys(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validatePublicKeys.evaluated;
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
validatePublicKeys.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaPublicKeys.required,parentSchema:schemaPublicKeys,data}];
return false;
}
else {
if(data.keys !== undefined){
let data0 = data.keys;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
if(data0.length > 20){
validatePublicKeys.errors = [{instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items",schema:20,parentSchema:schemaPublicKeys.properties.keys,data:data0}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validatePublicKey(data0[i0], {instancePath:instancePath+"/keys/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validatePublicKey.errors : vErrors.concat(validatePublicKey.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
else {
validatePublicKeys.errors = [{instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaPublicKeys.properties.keys.type,parentSchema:schemaPublicKeys.properties.keys,data:data0}];
return false;
}
}
}
}
}
else {
validatePublicKeys.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaPublicKeys.type,parentSchema:schemaPublicKeys,data}];
return false;
}
}
validatePublicKeys.errors = vErrors;
return errors === 0;
}
function validateRefreshRequest(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateRefreshRequest.evaluated;
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
validateRefreshRequest.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaRefreshRequest.required,parentSchema:schemaRefreshRequest,data}];
return false;
}
else {
if(data.refreshToken !== undefined){
let data0 = data.refreshToken;
if(typeof data0 !== "string"){
validateRefreshRequest.errors = [{instancePath:instancePath+"/refreshToken",schemaPath:"#/properties/refreshToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaRefreshRequest.properties.refreshToken.type,parentSchema:schemaRefreshRequest.properties.refreshToken,data:data0}];
return false;
}
}
}
}
else {
validateRefreshRequest.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaRefreshRequest.type,parentSchema:schemaRefreshRequest,data}];
return false;
}
}
validateRefreshRequest.errors = vErrors;
return errors === 0;
}
function validateSession(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateSession.evaluated;
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
validateSession.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaSession.required,parentSchema:schemaSession,data}];
return false;
}
else {
if(data.accessToken !== undefined){
let data0 = data.accessToken;
const _errs1 = errors;
if(typeof data0 !== "string"){
validateSession.errors = [{instancePath:instancePath+"/accessToken",schemaPath:"#/properties/accessToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaSession.properties.accessToken.type,parentSchema:schemaSession.properties.accessToken,data:data0}];
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
validateSession.errors = [{instancePath:instancePath+"/refreshToken",schemaPath:"#/properties/refreshToken/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaSession.properties.refreshToken.type,parentSchema:schemaSession.properties.refreshToken,data:data1}];
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
validateSession.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaSession.properties.expiresIn.type,parentSchema:schemaSession.properties.expiresIn,data:data2}];
return false;
}
if(errors === _errs5){
if((typeof data2 == "number") && (isFinite(data2))){
if(!(formats_79799640.validate(data2))){
validateSession.errors = [{instancePath:instancePath+"/expiresIn",schemaPath:"#/properties/expiresIn/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schemaSession.properties.expiresIn,data:data2}];
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
validateSession.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaSession.type,parentSchema:schemaSession,data}];
return false;
}
}
validateSession.errors = vErrors;
return errors === 0;
}
function validateTag(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateTag.evaluated;
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
validateTag.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaTag.required,parentSchema:schemaTag,data}];
return false;
}
else {
if(data.id !== undefined){
const _errs1 = errors;
if(!(validateIdentifier(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data1 = data.name;
const _errs2 = errors;
if(typeof data1 !== "string"){
validateTag.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaTag.properties.name.type,parentSchema:schemaTag.properties.name,data:data1}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validateTag.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaTag.type,parentSchema:schemaTag,data}];
return false;
}
}
validateTag.errors = vErrors;
return errors === 0;
}
function validateTags(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateTags.evaluated;
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
validateTags.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaTags.required,parentSchema:schemaTags,data}];
return false;
}
else {
if(data.items !== undefined){
let data0 = data.items;
const _errs1 = errors;
if(errors === _errs1){
if(Array.isArray(data0)){
if(data0.length > 10000){
validateTags.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/maxItems",keyword:"maxItems",params:{limit: 10000},message:"must NOT have more than 10000 items",schema:10000,parentSchema:schemaTags.properties.items,data:data0}];
return false;
}
else {
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
const _errs3 = errors;
if(!(validateTag(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateTag.errors : vErrors.concat(validateTag.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
}
else {
validateTags.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaTags.properties.items.type,parentSchema:schemaTags.properties.items,data:data0}];
return false;
}
}
}
}
}
else {
validateTags.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaTags.type,parentSchema:schemaTags,data}];
return false;
}
}
validateTags.errors = vErrors;
return errors === 0;
}
function validateTrackPoint(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateTrackPoint.evaluated;
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
validateTrackPoint.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaTrackPoint.required,parentSchema:schemaTrackPoint,data}];
return false;
}
else {
if(data.time !== undefined){
let data0 = data.time;
const _errs1 = errors;
if(errors === _errs1){
if(errors === _errs1){
if(typeof data0 === "string"){
if(!(pattern_51128e45.test(data0) || formats_349c6e49.validate(data0))){
validateTrackPoint.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schemaTrackPoint.properties.time,data:data0}];
return false;
}
}
else {
validateTrackPoint.errors = [{instancePath:instancePath+"/time",schemaPath:"#/properties/time/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaTrackPoint.properties.time.type,parentSchema:schemaTrackPoint.properties.time,data:data0}];
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
validateTrackPoint.errors = [{instancePath:instancePath+"/lat",schemaPath:"#/properties/lat/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaTrackPoint.properties.lat.type,parentSchema:schemaTrackPoint.properties.lat,data:data1}];
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
validateTrackPoint.errors = [{instancePath:instancePath+"/lng",schemaPath:"#/properties/lng/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaTrackPoint.properties.lng.type,parentSchema:schemaTrackPoint.properties.lng,data:data2}];
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
validateTrackPoint.errors = [{instancePath:instancePath+"/speedKmh",schemaPath:"#/properties/speedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaTrackPoint.properties.speedKmh.type,parentSchema:schemaTrackPoint.properties.speedKmh,data:data3}];
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
validateTrackPoint.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaTrackPoint.type,parentSchema:schemaTrackPoint,data}];
return false;
}
}
validateTrackPoint.errors = vErrors;
return errors === 0;
}
function validateTrip(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateTrip.evaluated;
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
validateTrip.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaTrip.required,parentSchema:schemaTrip,data}];
return false;
}
else {
if(data.start !== undefined){
const _errs1 = errors;
if(!(validateFix(data.start, {instancePath:instancePath+"/start",parentData:data,parentDataProperty:"start",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateFix.errors : vErrors.concat(validateFix.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.end !== undefined){
const _errs2 = errors;
if(!(validateFix(data.end, {instancePath:instancePath+"/end",parentData:data,parentDataProperty:"end",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateFix.errors : vErrors.concat(validateFix.errors);
errors = vErrors.length;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.distanceMeters !== undefined){
let data2 = data.distanceMeters;
const _errs3 = errors;
if(!((typeof data2 == "number") && (isFinite(data2)))){
validateTrip.errors = [{instancePath:instancePath+"/distanceMeters",schemaPath:"#/properties/distanceMeters/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaTrip.properties.distanceMeters.type,parentSchema:schemaTrip.properties.distanceMeters,data:data2}];
return false;
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.stopCount !== undefined){
let data3 = data.stopCount;
const _errs5 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validateTrip.errors = [{instancePath:instancePath+"/stopCount",schemaPath:"#/properties/stopCount/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaTrip.properties.stopCount.type,parentSchema:schemaTrip.properties.stopCount,data:data3}];
return false;
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxSpeedKmh !== undefined){
let data4 = data.maxSpeedKmh;
const _errs7 = errors;
if(!((typeof data4 == "number") && (isFinite(data4)))){
validateTrip.errors = [{instancePath:instancePath+"/maxSpeedKmh",schemaPath:"#/properties/maxSpeedKmh/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaTrip.properties.maxSpeedKmh.type,parentSchema:schemaTrip.properties.maxSpeedKmh,data:data4}];
return false;
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.idleSeconds !== undefined){
let data5 = data.idleSeconds;
const _errs9 = errors;
if(!((typeof data5 == "number") && (isFinite(data5)))){
validateTrip.errors = [{instancePath:instancePath+"/idleSeconds",schemaPath:"#/properties/idleSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schemaTrip.properties.idleSeconds.type,parentSchema:schemaTrip.properties.idleSeconds,data:data5}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.track !== undefined){
let data6 = data.track;
const _errs11 = errors;
if(errors === _errs11){
if(Array.isArray(data6)){
var valid1 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
const _errs13 = errors;
if(!(validateTrackPoint(data6[i0], {instancePath:instancePath+"/track/" + i0,parentData:data6,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateTrackPoint.errors : vErrors.concat(validateTrackPoint.errors);
errors = vErrors.length;
}
var valid1 = _errs13 === errors;
if(!valid1){
break;
}
}
}
else {
validateTrip.errors = [{instancePath:instancePath+"/track",schemaPath:"#/properties/track/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaTrip.properties.track.type,parentSchema:schemaTrip.properties.track,data:data6}];
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
}
}
}
else {
validateTrip.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaTrip.type,parentSchema:schemaTrip,data}];
return false;
}
}
validateTrip.errors = vErrors;
return errors === 0;
}
function validateUserAccount(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateUserAccount.evaluated;
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
validateUserAccount.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaUserAccount.required,parentSchema:schemaUserAccount,data}];
return false;
}
else {
if(data.id !== undefined){
const _errs1 = errors;
if(!(validateIdentifier(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.loginId !== undefined){
let data1 = data.loginId;
const _errs2 = errors;
if(typeof data1 !== "string"){
validateUserAccount.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccount.properties.loginId.type,parentSchema:schemaUserAccount.properties.loginId,data:data1}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.name !== undefined){
let data2 = data.name;
const _errs4 = errors;
if(typeof data2 !== "string"){
validateUserAccount.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccount.properties.name.type,parentSchema:schemaUserAccount.properties.name,data:data2}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isAdmin !== undefined){
let data3 = data.isAdmin;
const _errs6 = errors;
if(typeof data3 !== "boolean"){
validateUserAccount.errors = [{instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccount.properties.isAdmin.type,parentSchema:schemaUserAccount.properties.isAdmin,data:data3}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useChat !== undefined){
let data4 = data.useChat;
const _errs8 = errors;
if(typeof data4 !== "boolean"){
validateUserAccount.errors = [{instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccount.properties.useChat.type,parentSchema:schemaUserAccount.properties.useChat,data:data4}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.functionRestriction !== undefined){
let data5 = data.functionRestriction;
const _errs10 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validateUserAccount.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaUserAccount.properties.functionRestriction.type,parentSchema:schemaUserAccount.properties.functionRestriction,data:data5}];
return false;
}
if(errors === _errs10){
if((typeof data5 == "number") && (isFinite(data5))){
if(!(formats_79799640.validate(data5))){
validateUserAccount.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schemaUserAccount.properties.functionRestriction,data:data5}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useIndivFilter !== undefined){
let data6 = data.useIndivFilter;
const _errs12 = errors;
if(typeof data6 !== "boolean"){
validateUserAccount.errors = [{instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccount.properties.useIndivFilter.type,parentSchema:schemaUserAccount.properties.useIndivFilter,data:data6}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.indivs !== undefined){
let data7 = data.indivs;
const _errs14 = errors;
if(errors === _errs14){
if(!(Array.isArray(data7))){
validateUserAccount.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/properties/indivs/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccount.properties.indivs.type,parentSchema:schemaUserAccount.properties.indivs,data:data7}];
return false;
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useVPTGrpFilter !== undefined){
let data8 = data.useVPTGrpFilter;
const _errs16 = errors;
if(typeof data8 !== "boolean"){
validateUserAccount.errors = [{instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccount.properties.useVPTGrpFilter.type,parentSchema:schemaUserAccount.properties.useVPTGrpFilter,data:data8}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vptGrps !== undefined){
let data9 = data.vptGrps;
const _errs18 = errors;
if(errors === _errs18){
if(!(Array.isArray(data9))){
validateUserAccount.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/properties/vptGrps/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccount.properties.vptGrps.type,parentSchema:schemaUserAccount.properties.vptGrps,data:data9}];
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useLandmarkCategoryFilter !== undefined){
let data10 = data.useLandmarkCategoryFilter;
const _errs20 = errors;
if(typeof data10 !== "boolean"){
validateUserAccount.errors = [{instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccount.properties.useLandmarkCategoryFilter.type,parentSchema:schemaUserAccount.properties.useLandmarkCategoryFilter,data:data10}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.landmarkCategories !== undefined){
let data11 = data.landmarkCategories;
const _errs22 = errors;
if(errors === _errs22){
if(!(Array.isArray(data11))){
validateUserAccount.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/properties/landmarkCategories/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccount.properties.landmarkCategories.type,parentSchema:schemaUserAccount.properties.landmarkCategories,data:data11}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.useConnectionLimit !== undefined){
let data12 = data.useConnectionLimit;
const _errs24 = errors;
if(typeof data12 !== "boolean"){
validateUserAccount.errors = [{instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccount.properties.useConnectionLimit.type,parentSchema:schemaUserAccount.properties.useConnectionLimit,data:data12}];
return false;
}
var valid0 = _errs24 === errors;
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
validateUserAccount.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaUserAccount.type,parentSchema:schemaUserAccount,data}];
return false;
}
}
validateUserAccount.errors = vErrors;
return errors === 0;
}
function validateUserAccountInput(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateUserAccountInput.evaluated;
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
validateUserAccountInput.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaUserAccountInput.required,parentSchema:schemaUserAccountInput,data}];
return false;
}
else {
if(data.loginId !== undefined){
let data0 = data.loginId;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(data0.length < 1 && func_e360621c(data0) < 1){
validateUserAccountInput.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schemaUserAccountInput.properties.loginId,data:data0}];
return false;
}
}
else {
validateUserAccountInput.errors = [{instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccountInput.properties.loginId.type,parentSchema:schemaUserAccountInput.properties.loginId,data:data0}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccountInput.properties.password.type,parentSchema:schemaUserAccountInput.properties.password,data:data1}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccountInput.properties.name.type,parentSchema:schemaUserAccountInput.properties.name,data:data2}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.isAdmin.type,parentSchema:schemaUserAccountInput.properties.isAdmin,data:data3}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useChat.type,parentSchema:schemaUserAccountInput.properties.useChat,data:data4}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaUserAccountInput.properties.functionRestriction.type,parentSchema:schemaUserAccountInput.properties.functionRestriction,data:data5}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useIndivFilter.type,parentSchema:schemaUserAccountInput.properties.useIndivFilter,data:data6}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/indivs",schemaPath:"#/properties/indivs/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccountInput.properties.indivs.type,parentSchema:schemaUserAccountInput.properties.indivs,data:data7}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useVPTGrpFilter.type,parentSchema:schemaUserAccountInput.properties.useVPTGrpFilter,data:data8}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/vptGrps",schemaPath:"#/properties/vptGrps/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccountInput.properties.vptGrps.type,parentSchema:schemaUserAccountInput.properties.vptGrps,data:data9}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useLandmarkCategoryFilter.type,parentSchema:schemaUserAccountInput.properties.useLandmarkCategoryFilter,data:data10}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/landmarkCategories",schemaPath:"#/properties/landmarkCategories/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccountInput.properties.landmarkCategories.type,parentSchema:schemaUserAccountInput.properties.landmarkCategories,data:data11}];
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
validateUserAccountInput.errors = [{instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useConnectionLimit.type,parentSchema:schemaUserAccountInput.properties.useConnectionLimit,data:data12}];
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
validateUserAccountInput.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaUserAccountInput.type,parentSchema:schemaUserAccountInput,data}];
return false;
}
}
validateUserAccountInput.errors = vErrors;
return errors === 0;
}
function validateUserAccountPage(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateUserAccountPage.evaluated;
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
validateUserAccountPage.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaUserAccountPage.required,parentSchema:schemaUserAccountPage,data}];
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
if(!(validateUserAccount(data0[i0], {instancePath:instancePath+"/items/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateUserAccount.errors : vErrors.concat(validateUserAccount.errors);
errors = vErrors.length;
}
var valid1 = _errs3 === errors;
if(!valid1){
break;
}
}
}
else {
validateUserAccountPage.errors = [{instancePath:instancePath+"/items",schemaPath:"#/properties/items/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaUserAccountPage.properties.items.type,parentSchema:schemaUserAccountPage.properties.items,data:data0}];
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
validateUserAccountPage.errors = [{instancePath:instancePath+"/nextCursor",schemaPath:"#/properties/nextCursor/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccountPage.properties.nextCursor.type,parentSchema:schemaUserAccountPage.properties.nextCursor,data:data2}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.total !== undefined){
let data3 = data.total;
const _errs6 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validateUserAccountPage.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaUserAccountPage.properties.total.type,parentSchema:schemaUserAccountPage.properties.total,data:data3}];
return false;
}
if(errors === _errs6){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validateUserAccountPage.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schemaUserAccountPage.properties.total,data:data3}];
return false;
}
else {
if(!(formats_79799640.validate(data3))){
validateUserAccountPage.errors = [{instancePath:instancePath+"/total",schemaPath:"#/properties/total/format",keyword:"format",params:{format: "int32"},message:"must match format \""+"int32"+"\"",schema:"int32",parentSchema:schemaUserAccountPage.properties.total,data:data3}];
return false;
}
}
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
validateUserAccountPage.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaUserAccountPage.type,parentSchema:schemaUserAccountPage,data}];
return false;
}
}
validateUserAccountPage.errors = vErrors;
return errors === 0;
}
validateCreatedUserAccount.evaluated = {"props":{"id":true},"dynamicProps":false,"dynamicItems":false};
validateDrivingRecord.evaluated = {"props":{"mobileId":true,"trips":true},"dynamicProps":false,"dynamicItems":false};
validateFailure.evaluated = {"props":{"message":true},"dynamicProps":false,"dynamicItems":false};
validateFix.evaluated = {"props":{"time":true,"lat":true,"lng":true},"dynamicProps":false,"dynamicItems":false};
validateIdentifier.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateLoginReply.evaluated = {"props":{"otpRequired":true,"session":true,"challenge":true},"dynamicProps":false,"dynamicItems":false};
validateLoginRequest.evaluated = {"props":{"loginId":true,"password":true},"dynamicProps":false,"dynamicItems":false};
validateMobile.evaluated = {"props":{"id":true,"num":true,"name":true,"tagIds":true,"position":true},"dynamicProps":false,"dynamicItems":false};
validateMobileIds.evaluated = {"props":{"ids":true},"dynamicProps":false,"dynamicItems":false};
validateMobilePage.evaluated = {"props":{"items":true,"nextCursor":true,"total":true},"dynamicProps":false,"dynamicItems":false};
validateMobilePatch.evaluated = {"props":{"num":true,"name":true,"tagIds":true},"dynamicProps":false,"dynamicItems":false};
validateOtpDelivery.evaluated = {"props":{"sentTo":true,"expiresIn":true},"dynamicProps":false,"dynamicItems":false};
validateOtpRequest.evaluated = {"props":{"loginId":true},"dynamicProps":false,"dynamicItems":false};
validateOtpVerification.evaluated = {"props":{"loginId":true,"code":true,"challenge":true},"dynamicProps":false,"dynamicItems":false};
validatePosition.evaluated = {"props":{"lat":true,"lng":true,"speedKmh":true,"heading":true,"recordedAt":true},"dynamicProps":false,"dynamicItems":false};
validatePublicKey.evaluated = {"props":{"kid":true,"pem":true},"dynamicProps":false,"dynamicItems":false};
validatePublicKeys.evaluated = {"props":{"keys":true},"dynamicProps":false,"dynamicItems":false};
validateRefreshRequest.evaluated = {"props":{"refreshToken":true},"dynamicProps":false,"dynamicItems":false};
validateSession.evaluated = {"props":{"accessToken":true,"refreshToken":true,"expiresIn":true},"dynamicProps":false,"dynamicItems":false};
validateTag.evaluated = {"props":{"id":true,"name":true},"dynamicProps":false,"dynamicItems":false};
validateTags.evaluated = {"props":{"items":true},"dynamicProps":false,"dynamicItems":false};
validateTrackPoint.evaluated = {"props":{"time":true,"lat":true,"lng":true,"speedKmh":true},"dynamicProps":false,"dynamicItems":false};
validateTrip.evaluated = {"props":{"start":true,"end":true,"distanceMeters":true,"stopCount":true,"maxSpeedKmh":true,"idleSeconds":true,"track":true},"dynamicProps":false,"dynamicItems":false};
validateUserAccount.evaluated = {"props":{"id":true,"loginId":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};
validateUserAccountInput.evaluated = {"props":{"loginId":true,"password":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};
validateUserAccountPage.evaluated = {"props":{"items":true,"nextCursor":true,"total":true},"dynamicProps":false,"dynamicItems":false};
