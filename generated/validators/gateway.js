// Generated from ./openapi/gateway.yaml; run `npm run codegen` instead of editing.
import formats from 'ajv-formats/dist/formats.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
const formats_349c6e49 = formats.fullFormats["date-time"];
const func_e360621c = ucs2length.default;
const func_fe6bb7b7 = ucs2length.default;
const pattern_41d60ef9 = new RegExp("^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$", "u");
const pattern_51128e45 = new RegExp("^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$", "u");
const pattern_86c4900e = new RegExp("^[A-Za-z0-9._:-]{1,128}$", "u");
const pattern_a98cc21d = new RegExp("^[A-Za-z0-9_-]+$", "u");
const pattern_b583d1a3 = new RegExp("^(?!0000-|0001-01-01|9999-12-31)", "u");
const pattern_ba002fe0 = new RegExp("^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T", "u");
const schemaBadInput = {"type":"object","required":["message"],"additionalProperties":false,"properties":{"message":{"type":"string"},"errors":{"type":"array","description":"Faults, ten at most, without values","maxItems":10,"items":{"type":"object","required":["path","message"],"additionalProperties":false,"properties":{"path":{"type":"string","description":"JSON pointer into the body, or the name of a header"},"message":{"type":"string"}}}}}};
const schemaBulkMobileReply = {"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"type":"string","enum":["Success","Failure"]},"errors":{"type":"array","description":"Present on failure","items":{"type":"string"}}}};
const schemaBulkMobileRequest = {"type":"array","items":{"$ref":"MobileUpdate"}};
const schemaBulkUserAccountReply = {"type":"object","required":["status"],"additionalProperties":false,"properties":{"status":{"type":"string","enum":["Success","Failure"]},"data":{"type":"object","description":"Present on success, and on failure when accounts were created","required":["created_user_account_id"],"additionalProperties":false,"properties":{"created_user_account_id":{"type":"array","items":{"type":"integer"}}}},"errors":{"type":"array","description":"Present on failure","items":{"type":"string"}}}};
const schemaBulkUserAccountRequest = {"type":"array","items":{"$ref":"UserAccountOperation"}};
const schemaDependencyStatus = {"type":"string","enum":["OK","NG"]};
const schemaDriver = {"type":"object","required":["mobileId","employeeCode","employeeName"],"properties":{"mobileId":{"type":"string","minLength":1,"maxLength":128,"x-reason":"TextLength"},"employeeCode":{"$ref":"Text"},"employeeName":{"$ref":"Text"}}};
const schemaDriverError = {"type":"object","required":["mobileId","employeeCode","code","message"],"additionalProperties":false,"properties":{"mobileId":{"type":"string","description":"Empty when all drivers of a cancelled job are meant"},"employeeCode":{"type":"string"},"code":{"type":"string","description":"`Cancelled`: the job was cancelled before the driver's turn came","enum":["NotFound","Forbidden","BadInput","ServiceUnavailable","InternalError","Cancelled"]},"message":{"type":"string"}}};
const schemaDrivingReportReply = {"type":"object","required":["key","errorList"],"additionalProperties":false,"properties":{"key":{"type":"string","description":"Object key of the PDF; empty when the job was cancelled before one was made"},"errorList":{"oneOf":[{"type":"array","minItems":1,"items":{"$ref":"DriverError"}},{"type":"null"}]}}};
const schemaDrivingReportRequest = {"type":"object","required":["date","drivers"],"properties":{"date":{"$ref":"ReportDate"},"drivers":{"type":"array","items":{"$ref":"Driver"}}}};
const schemaFailure = {"type":"object","required":["message"],"additionalProperties":false,"properties":{"message":{"type":"string"}}};
const schemaFilterEntries = {"description":"Any JSON values","type":"array","maxItems":1000,"items":{},"x-reason":"ListTooLong"};
const schemaIdentifier = {"description":"Identifier of a mobile station or a tag","type":"integer","minimum":1,"maximum":9007199254740991,"x-reason":"NotInteger"};
const schemaJobId = {"type":"string","pattern":"^[A-Za-z0-9._:-]{1,128}$"};
const schemaJwk = {"type":"object","required":["alg","kty","use","kid","n","e"],"additionalProperties":false,"properties":{"alg":{"type":"string","const":"RS256"},"kty":{"type":"string","const":"RSA"},"use":{"type":"string","const":"sig"},"kid":{"type":"string","minLength":1},"n":{"type":"string","pattern":"^[A-Za-z0-9_-]+$"},"e":{"type":"string","pattern":"^[A-Za-z0-9_-]+$"}}};
const schemaJwks = {"type":"object","required":["keys"],"additionalProperties":false,"properties":{"keys":{"type":"array","items":{"$ref":"Jwk"}}}};
const schemaLiveness = {"type":"object","required":["Status"],"additionalProperties":false,"properties":{"Status":{"type":"string","const":"OK"}}};
const schemaMobileUpdate = {"type":"object","required":["id"],"properties":{"id":{"$ref":"Identifier","description":"Mobile station identifier"},"num":{"$ref":"Text"},"name":{"$ref":"Text"},"tagIds":{"description":"Tag identifiers","type":"array","maxItems":1000,"items":{"$ref":"Identifier"},"x-reason":"ListTooLong"}}};
const schemaOrgId = {"description":"Organisation code, not blank; in a header it is percent-encoded UTF-8 when it holds anything but visible ASCII. As `encodeURIComponent` writes it, with `.` as `%2E`, it has at most 512 bytes","type":"string","minLength":1,"maxLength":256};
const schemaQueuedAt = {"type":"string","format":"date-time"};
const schemaReadiness = {"type":"object","required":["Status","Items","Stores","Gateway"],"additionalProperties":false,"properties":{"Status":{"type":"string","enum":["OK","NG"],"description":"NG exactly when a dependency, a store or the gateway itself is not OK"},"Items":{"type":"object","required":["geo-api","backend-api","voip-api"],"additionalProperties":false,"properties":{"geo-api":{"$ref":"DependencyStatus"},"backend-api":{"$ref":"DependencyStatus"},"voip-api":{"$ref":"DependencyStatus"}}},"Stores":{"type":"object","description":"Stores of the gateway. Each is written to once a minute, and asked for an answer otherwise","required":["job-store","queue","object-store"],"additionalProperties":false,"properties":{"job-store":{"$ref":"DependencyStatus"},"queue":{"$ref":"DependencyStatus"},"object-store":{"$ref":"DependencyStatus"}}},"Gateway":{"type":"string","enum":["OK","STARTING","DRAINING"],"description":"STARTING until the gateway takes requests at full speed, DRAINING from the signal to stop on"}}};
const schemaReportDate = {"description":"The driving day is the calendar day of this timestamp in its own UTC offset, or in REPORT_TIME_ZONE where that is set","allOf":[{"description":"RFC 3339","type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$","x-reason":"NotTimestamp"},{"description":"A day of the calendar","type":"string","pattern":"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T","x-reason":"NoSuchDate"},{"description":"A day whose beginning and end can be written as a timestamp in any offset","type":"string","pattern":"^(?!0000-|0001-01-01|9999-12-31)","x-reason":"DateOutOfRange"}]};
const schemaText = {"type":"string","maxLength":256,"x-reason":"TextTooLong"};
const schemaUserAccountInput = {"type":"object","required":["loginId"],"properties":{"loginId":{"description":"Login identifier","type":"string","minLength":1,"maxLength":256,"x-reason":"TextLength"},"password":{"$ref":"Text","description":"Required to create"},"name":{"$ref":"Text","description":"Display name; required to create"},"isAdmin":{"type":"boolean"},"useChat":{"type":"boolean"},"functionRestriction":{"type":"integer"},"useIndivFilter":{"type":"boolean"},"indivs":{"$ref":"FilterEntries"},"useVPTGrpFilter":{"type":"boolean"},"vptGrps":{"$ref":"FilterEntries"},"useLandmarkCategoryFilter":{"type":"boolean"},"landmarkCategories":{"$ref":"FilterEntries"},"useConnectionLimit":{"type":"boolean"}}};
const schemaUserAccountOperation = {"type":"object","required":["type","userAccountInput"],"properties":{"type":{"type":"integer","minimum":0,"maximum":2,"description":"0 = create, 1 = update, 2 = delete","x-reason":"NotOperationType"},"userAccountInput":{"$ref":"UserAccountInput"}}};
export const BadInput = validateBadInput;
export const BulkMobileReply = validateBulkMobileReply;
export const BulkMobileRequest = validateBulkMobileRequest;
export const BulkUserAccountReply = validateBulkUserAccountReply;
export const BulkUserAccountRequest = validateBulkUserAccountRequest;
export const DependencyStatus = validateDependencyStatus;
export const Driver = validateDriver;
export const DriverError = validateDriverError;
export const DrivingReportReply = validateDrivingReportReply;
export const DrivingReportRequest = validateDrivingReportRequest;
export const Failure = validateFailure;
export const FilterEntries = validateFilterEntries;
export const Identifier = validateIdentifier;
export const JobId = validateJobId;
export const Jwk = validateJwk;
export const Jwks = validateJwks;
export const Liveness = validateLiveness;
export const MobileUpdate = validateMobileUpdate;
export const OrgId = validateOrgId;
export const QueuedAt = validateQueuedAt;
export const Readiness = validateReadiness;
export const ReportDate = validateReportDate;
export const Text = validateText;
export const UserAccountInput = validateUserAccountInput;
export const UserAccountOperation = validateUserAccountOperation;
function validateBadInput(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateBadInput.evaluated;
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
validateBadInput.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaBadInput.required,parentSchema:schemaBadInput,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "message") || (key0 === "errors"))){
validateBadInput.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaBadInput,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.message !== undefined){
let data0 = data.message;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateBadInput.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBadInput.properties.message.type,parentSchema:schemaBadInput.properties.message,data:data0}];
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
if(data1.length > 10){
validateBadInput.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/maxItems",keyword:"maxItems",params:{limit: 10},message:"must NOT have more than 10 items",schema:10,parentSchema:schemaBadInput.properties.errors,data:data1}];
return false;
}
else {
var valid1 = true;
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
const _errs6 = errors;
if(errors === _errs6){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((data2.path === undefined) && (missing1 = "path")) || ((data2.message === undefined) && (missing1 = "message"))){
validateBadInput.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schemaBadInput.properties.errors.items.required,parentSchema:schemaBadInput.properties.errors.items,data:data2}];
return false;
}
else {
const _errs8 = errors;
for(const key1 in data2){
if(!((key1 === "path") || (key1 === "message"))){
validateBadInput.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schemaBadInput.properties.errors.items,data:data2}];
return false;
break;
}
}
if(_errs8 === errors){
if(data2.path !== undefined){
let data3 = data2.path;
const _errs9 = errors;
if(typeof data3 !== "string"){
validateBadInput.errors = [{instancePath:instancePath+"/errors/" + i0+"/path",schemaPath:"#/properties/errors/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBadInput.properties.errors.items.properties.path.type,parentSchema:schemaBadInput.properties.errors.items.properties.path,data:data3}];
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
validateBadInput.errors = [{instancePath:instancePath+"/errors/" + i0+"/message",schemaPath:"#/properties/errors/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBadInput.properties.errors.items.properties.message.type,parentSchema:schemaBadInput.properties.errors.items.properties.message,data:data4}];
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
validateBadInput.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaBadInput.properties.errors.items.type,parentSchema:schemaBadInput.properties.errors.items,data:data2}];
return false;
}
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
}
else {
validateBadInput.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaBadInput.properties.errors.type,parentSchema:schemaBadInput.properties.errors,data:data1}];
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
validateBadInput.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaBadInput.type,parentSchema:schemaBadInput,data}];
return false;
}
}
validateBadInput.errors = vErrors;
return errors === 0;
}
function validateBulkMobileReply(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateBulkMobileReply.evaluated;
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
validateBulkMobileReply.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaBulkMobileReply.required,parentSchema:schemaBulkMobileReply,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "status") || (key0 === "errors"))){
validateBulkMobileReply.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaBulkMobileReply,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.status !== undefined){
let data0 = data.status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateBulkMobileReply.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBulkMobileReply.properties.status.type,parentSchema:schemaBulkMobileReply.properties.status,data:data0}];
return false;
}
if(!((data0 === "Success") || (data0 === "Failure"))){
validateBulkMobileReply.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schemaBulkMobileReply.properties.status.enum},message:"must be equal to one of the allowed values",schema:schemaBulkMobileReply.properties.status.enum,parentSchema:schemaBulkMobileReply.properties.status,data:data0}];
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
validateBulkMobileReply.errors = [{instancePath:instancePath+"/errors/" + i0,schemaPath:"#/properties/errors/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBulkMobileReply.properties.errors.items.type,parentSchema:schemaBulkMobileReply.properties.errors.items,data:data2}];
return false;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validateBulkMobileReply.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaBulkMobileReply.properties.errors.type,parentSchema:schemaBulkMobileReply.properties.errors,data:data1}];
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
validateBulkMobileReply.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaBulkMobileReply.type,parentSchema:schemaBulkMobileReply,data}];
return false;
}
}
validateBulkMobileReply.errors = vErrors;
return errors === 0;
}
function validateBulkMobileRequest(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateBulkMobileRequest.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(validateMobileUpdate(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateMobileUpdate.errors : vErrors.concat(validateMobileUpdate.errors);
errors = vErrors.length;
if(errors >= 10){
validateBulkMobileRequest.errors = vErrors;
return false;
}
}
}
}
else {
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaBulkMobileRequest.type,parentSchema:schemaBulkMobileRequest,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateBulkMobileRequest.errors = vErrors;
return false;
}
}
validateBulkMobileRequest.errors = vErrors;
return errors === 0;
}
function validateBulkUserAccountReply(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateBulkUserAccountReply.evaluated;
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
validateBulkUserAccountReply.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaBulkUserAccountReply.required,parentSchema:schemaBulkUserAccountReply,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "status") || (key0 === "data")) || (key0 === "errors"))){
validateBulkUserAccountReply.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaBulkUserAccountReply,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.status !== undefined){
let data0 = data.status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBulkUserAccountReply.properties.status.type,parentSchema:schemaBulkUserAccountReply.properties.status,data:data0}];
return false;
}
if(!((data0 === "Success") || (data0 === "Failure"))){
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schemaBulkUserAccountReply.properties.status.enum},message:"must be equal to one of the allowed values",schema:schemaBulkUserAccountReply.properties.status.enum,parentSchema:schemaBulkUserAccountReply.properties.status,data:data0}];
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
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schemaBulkUserAccountReply.properties.data.required,parentSchema:schemaBulkUserAccountReply.properties.data,data:data1}];
return false;
}
else {
const _errs6 = errors;
for(const key1 in data1){
if(!(key1 === "created_user_account_id")){
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schemaBulkUserAccountReply.properties.data,data:data1}];
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
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/data/created_user_account_id/" + i0,schemaPath:"#/properties/data/properties/created_user_account_id/items/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaBulkUserAccountReply.properties.data.properties.created_user_account_id.items.type,parentSchema:schemaBulkUserAccountReply.properties.data.properties.created_user_account_id.items,data:data3}];
return false;
}
var valid2 = _errs9 === errors;
if(!valid2){
break;
}
}
}
else {
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/data/created_user_account_id",schemaPath:"#/properties/data/properties/created_user_account_id/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaBulkUserAccountReply.properties.data.properties.created_user_account_id.type,parentSchema:schemaBulkUserAccountReply.properties.data.properties.created_user_account_id,data:data2}];
return false;
}
}
}
}
}
}
else {
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaBulkUserAccountReply.properties.data.type,parentSchema:schemaBulkUserAccountReply.properties.data,data:data1}];
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
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/errors/" + i1,schemaPath:"#/properties/errors/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaBulkUserAccountReply.properties.errors.items.type,parentSchema:schemaBulkUserAccountReply.properties.errors.items,data:data5}];
return false;
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
else {
validateBulkUserAccountReply.errors = [{instancePath:instancePath+"/errors",schemaPath:"#/properties/errors/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaBulkUserAccountReply.properties.errors.type,parentSchema:schemaBulkUserAccountReply.properties.errors,data:data4}];
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
validateBulkUserAccountReply.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaBulkUserAccountReply.type,parentSchema:schemaBulkUserAccountReply,data}];
return false;
}
}
validateBulkUserAccountReply.errors = vErrors;
return errors === 0;
}
function validateBulkUserAccountRequest(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateBulkUserAccountRequest.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(validateUserAccountOperation(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateUserAccountOperation.errors : vErrors.concat(validateUserAccountOperation.errors);
errors = vErrors.length;
if(errors >= 10){
validateBulkUserAccountRequest.errors = vErrors;
return false;
}
}
}
}
else {
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaBulkUserAccountRequest.type,parentSchema:schemaBulkUserAccountRequest,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateBulkUserAccountRequest.errors = vErrors;
return false;
}
}
validateBulkUserAccountRequest.errors = vErrors;
return errors === 0;
}
function validateDependencyStatus(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateDependencyStatus.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
validateDependencyStatus.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDependencyStatus.type,parentSchema:schemaDependencyStatus,data}];
return false;
}
if(!((data === "OK") || (data === "NG"))){
validateDependencyStatus.errors = [{instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schemaDependencyStatus.enum},message:"must be equal to one of the allowed values",schema:schemaDependencyStatus.enum,parentSchema:schemaDependencyStatus,data}];
return false;
}
validateDependencyStatus.errors = vErrors;
return errors === 0;
}
function validateDriver(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateDriver.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.mobileId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "mobileId"},message:"must have required property '"+"mobileId"+"'",schema:schemaDriver.required,parentSchema:schemaDriver,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
if(data.employeeCode === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "employeeCode"},message:"must have required property '"+"employeeCode"+"'",schema:schemaDriver.required,parentSchema:schemaDriver,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
if(data.employeeName === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "employeeName"},message:"must have required property '"+"employeeName"+"'",schema:schemaDriver.required,parentSchema:schemaDriver,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
if(data.mobileId !== undefined){
let data0 = data.mobileId;
if(typeof data0 === "string"){
if(data0.length > 128 && func_e360621c(data0) > 128){
const err3 = {instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters",schema:128,parentSchema:schemaDriver.properties.mobileId,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
if(data0.length < 1 && func_e360621c(data0) < 1){
const err4 = {instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schemaDriver.properties.mobileId,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
}
else {
const err5 = {instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDriver.properties.mobileId.type,parentSchema:schemaDriver.properties.mobileId,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
}
if(data.employeeCode !== undefined){
if(!(validateText(data.employeeCode, {instancePath:instancePath+"/employeeCode",parentData:data,parentDataProperty:"employeeCode",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateText.errors : vErrors.concat(validateText.errors);
errors = vErrors.length;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
}
if(data.employeeName !== undefined){
if(!(validateText(data.employeeName, {instancePath:instancePath+"/employeeName",parentData:data,parentDataProperty:"employeeName",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateText.errors : vErrors.concat(validateText.errors);
errors = vErrors.length;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaDriver.type,parentSchema:schemaDriver,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
if(errors >= 10){
validateDriver.errors = vErrors;
return false;
}
}
validateDriver.errors = vErrors;
return errors === 0;
}
function validateDriverError(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateDriverError.evaluated;
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
validateDriverError.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaDriverError.required,parentSchema:schemaDriverError,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "mobileId") || (key0 === "employeeCode")) || (key0 === "code")) || (key0 === "message"))){
validateDriverError.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaDriverError,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.mobileId !== undefined){
let data0 = data.mobileId;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateDriverError.errors = [{instancePath:instancePath+"/mobileId",schemaPath:"#/properties/mobileId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDriverError.properties.mobileId.type,parentSchema:schemaDriverError.properties.mobileId,data:data0}];
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
validateDriverError.errors = [{instancePath:instancePath+"/employeeCode",schemaPath:"#/properties/employeeCode/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDriverError.properties.employeeCode.type,parentSchema:schemaDriverError.properties.employeeCode,data:data1}];
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
validateDriverError.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDriverError.properties.code.type,parentSchema:schemaDriverError.properties.code,data:data2}];
return false;
}
if(!((((((data2 === "NotFound") || (data2 === "Forbidden")) || (data2 === "BadInput")) || (data2 === "ServiceUnavailable")) || (data2 === "InternalError")) || (data2 === "Cancelled"))){
validateDriverError.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/enum",keyword:"enum",params:{allowedValues: schemaDriverError.properties.code.enum},message:"must be equal to one of the allowed values",schema:schemaDriverError.properties.code.enum,parentSchema:schemaDriverError.properties.code,data:data2}];
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
validateDriverError.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDriverError.properties.message.type,parentSchema:schemaDriverError.properties.message,data:data3}];
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
validateDriverError.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaDriverError.type,parentSchema:schemaDriverError,data}];
return false;
}
}
validateDriverError.errors = vErrors;
return errors === 0;
}
function validateDrivingReportReply(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateDrivingReportReply.evaluated;
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
validateDrivingReportReply.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaDrivingReportReply.required,parentSchema:schemaDrivingReportReply,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((key0 === "key") || (key0 === "errorList"))){
validateDrivingReportReply.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaDrivingReportReply,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.key !== undefined){
let data0 = data.key;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateDrivingReportReply.errors = [{instancePath:instancePath+"/key",schemaPath:"#/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaDrivingReportReply.properties.key.type,parentSchema:schemaDrivingReportReply.properties.key,data:data0}];
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
const err0 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf/0/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schemaDrivingReportReply.properties.errorList.oneOf[0],data:data1};
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
const _errs8 = errors;
if(!(validateDriverError(data1[i0], {instancePath:instancePath+"/errorList/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDriverError.errors : vErrors.concat(validateDriverError.errors);
errors = vErrors.length;
}
var valid2 = _errs8 === errors;
if(!valid2){
break;
}
}
}
}
else {
const err1 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf/0/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaDrivingReportReply.properties.errorList.oneOf[0].type,parentSchema:schemaDrivingReportReply.properties.errorList.oneOf[0],data:data1};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs6 === errors;
if(_valid0){
valid1 = true;
passing0 = 0;
}
const _errs9 = errors;
if(data1 !== null){
const err2 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf/1/type",keyword:"type",params:{type: "null"},message:"must be null",schema:schemaDrivingReportReply.properties.errorList.oneOf[1].type,parentSchema:schemaDrivingReportReply.properties.errorList.oneOf[1],data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid0 = _errs9 === errors;
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
const err3 = {instancePath:instancePath+"/errorList",schemaPath:"#/properties/errorList/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schemaDrivingReportReply.properties.errorList.oneOf,parentSchema:schemaDrivingReportReply.properties.errorList,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
validateDrivingReportReply.errors = vErrors;
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
validateDrivingReportReply.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaDrivingReportReply.type,parentSchema:schemaDrivingReportReply,data}];
return false;
}
}
validateDrivingReportReply.errors = vErrors;
return errors === 0;
}
function validateDrivingReportRequest(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateDrivingReportRequest.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.date === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "date"},message:"must have required property '"+"date"+"'",schema:schemaDrivingReportRequest.required,parentSchema:schemaDrivingReportRequest,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateDrivingReportRequest.errors = vErrors;
return false;
}
}
if(data.drivers === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "drivers"},message:"must have required property '"+"drivers"+"'",schema:schemaDrivingReportRequest.required,parentSchema:schemaDrivingReportRequest,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateDrivingReportRequest.errors = vErrors;
return false;
}
}
if(data.date !== undefined){
if(!(validateReportDate(data.date, {instancePath:instancePath+"/date",parentData:data,parentDataProperty:"date",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateReportDate.errors : vErrors.concat(validateReportDate.errors);
errors = vErrors.length;
if(errors >= 10){
validateDrivingReportRequest.errors = vErrors;
return false;
}
}
}
if(data.drivers !== undefined){
let data1 = data.drivers;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(!(validateDriver(data1[i0], {instancePath:instancePath+"/drivers/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDriver.errors : vErrors.concat(validateDriver.errors);
errors = vErrors.length;
if(errors >= 10){
validateDrivingReportRequest.errors = vErrors;
return false;
}
}
}
}
else {
const err2 = {instancePath:instancePath+"/drivers",schemaPath:"#/properties/drivers/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaDrivingReportRequest.properties.drivers.type,parentSchema:schemaDrivingReportRequest.properties.drivers,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateDrivingReportRequest.errors = vErrors;
return false;
}
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaDrivingReportRequest.type,parentSchema:schemaDrivingReportRequest,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors >= 10){
validateDrivingReportRequest.errors = vErrors;
return false;
}
}
validateDrivingReportRequest.errors = vErrors;
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
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "message")){
validateFailure.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaFailure,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.message !== undefined){
let data0 = data.message;
if(typeof data0 !== "string"){
validateFailure.errors = [{instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaFailure.properties.message.type,parentSchema:schemaFailure.properties.message,data:data0}];
return false;
}
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
function validateFilterEntries(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateFilterEntries.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(data.length > 1000){
const err0 = {instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schemaFilterEntries,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateFilterEntries.errors = vErrors;
return false;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaFilterEntries.type,parentSchema:schemaFilterEntries,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateFilterEntries.errors = vErrors;
return false;
}
}
validateFilterEntries.errors = vErrors;
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
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaIdentifier.type,parentSchema:schemaIdentifier,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateIdentifier.errors = vErrors;
return false;
}
}
if((typeof data == "number") && (isFinite(data))){
if(data > 9007199254740991 || isNaN(data)){
const err1 = {instancePath,schemaPath:"#/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991",schema:9007199254740991,parentSchema:schemaIdentifier,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateIdentifier.errors = vErrors;
return false;
}
}
if(data < 1 || isNaN(data)){
const err2 = {instancePath,schemaPath:"#/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schemaIdentifier,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateIdentifier.errors = vErrors;
return false;
}
}
}
validateIdentifier.errors = vErrors;
return errors === 0;
}
function validateJobId(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateJobId.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(!pattern_86c4900e.test(data)){
validateJobId.errors = [{instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9._:-]{1,128}$"},message:"must match pattern \""+"^[A-Za-z0-9._:-]{1,128}$"+"\"",schema:"^[A-Za-z0-9._:-]{1,128}$",parentSchema:schemaJobId,data}];
return false;
}
}
else {
validateJobId.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJobId.type,parentSchema:schemaJobId,data}];
return false;
}
}
validateJobId.errors = vErrors;
return errors === 0;
}
function validateJwk(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateJwk.evaluated;
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
validateJwk.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaJwk.required,parentSchema:schemaJwk,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((key0 === "alg") || (key0 === "kty")) || (key0 === "use")) || (key0 === "kid")) || (key0 === "n")) || (key0 === "e"))){
validateJwk.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaJwk,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.alg !== undefined){
let data0 = data.alg;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateJwk.errors = [{instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJwk.properties.alg.type,parentSchema:schemaJwk.properties.alg,data:data0}];
return false;
}
if("RS256" !== data0){
validateJwk.errors = [{instancePath:instancePath+"/alg",schemaPath:"#/properties/alg/const",keyword:"const",params:{allowedValue: "RS256"},message:"must be equal to constant",schema:"RS256",parentSchema:schemaJwk.properties.alg,data:data0}];
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
validateJwk.errors = [{instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJwk.properties.kty.type,parentSchema:schemaJwk.properties.kty,data:data1}];
return false;
}
if("RSA" !== data1){
validateJwk.errors = [{instancePath:instancePath+"/kty",schemaPath:"#/properties/kty/const",keyword:"const",params:{allowedValue: "RSA"},message:"must be equal to constant",schema:"RSA",parentSchema:schemaJwk.properties.kty,data:data1}];
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
validateJwk.errors = [{instancePath:instancePath+"/use",schemaPath:"#/properties/use/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJwk.properties.use.type,parentSchema:schemaJwk.properties.use,data:data2}];
return false;
}
if("sig" !== data2){
validateJwk.errors = [{instancePath:instancePath+"/use",schemaPath:"#/properties/use/const",keyword:"const",params:{allowedValue: "sig"},message:"must be equal to constant",schema:"sig",parentSchema:schemaJwk.properties.use,data:data2}];
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
if(data3.length < 1 && func_fe6bb7b7(data3) < 1){
validateJwk.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schemaJwk.properties.kid,data:data3}];
return false;
}
}
else {
validateJwk.errors = [{instancePath:instancePath+"/kid",schemaPath:"#/properties/kid/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJwk.properties.kid.type,parentSchema:schemaJwk.properties.kid,data:data3}];
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
if(!pattern_a98cc21d.test(data4)){
validateJwk.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\"",schema:"^[A-Za-z0-9_-]+$",parentSchema:schemaJwk.properties.n,data:data4}];
return false;
}
}
else {
validateJwk.errors = [{instancePath:instancePath+"/n",schemaPath:"#/properties/n/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJwk.properties.n.type,parentSchema:schemaJwk.properties.n,data:data4}];
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
if(!pattern_a98cc21d.test(data5)){
validateJwk.errors = [{instancePath:instancePath+"/e",schemaPath:"#/properties/e/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]+$"},message:"must match pattern \""+"^[A-Za-z0-9_-]+$"+"\"",schema:"^[A-Za-z0-9_-]+$",parentSchema:schemaJwk.properties.e,data:data5}];
return false;
}
}
else {
validateJwk.errors = [{instancePath:instancePath+"/e",schemaPath:"#/properties/e/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaJwk.properties.e.type,parentSchema:schemaJwk.properties.e,data:data5}];
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
validateJwk.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaJwk.type,parentSchema:schemaJwk,data}];
return false;
}
}
validateJwk.errors = vErrors;
return errors === 0;
}
function validateJwks(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateJwks.evaluated;
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
validateJwks.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaJwks.required,parentSchema:schemaJwks,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "keys")){
validateJwks.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaJwks,data}];
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
const _errs4 = errors;
if(!(validateJwk(data0[i0], {instancePath:instancePath+"/keys/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateJwk.errors : vErrors.concat(validateJwk.errors);
errors = vErrors.length;
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validateJwks.errors = [{instancePath:instancePath+"/keys",schemaPath:"#/properties/keys/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaJwks.properties.keys.type,parentSchema:schemaJwks.properties.keys,data:data0}];
return false;
}
}
}
}
}
}
else {
validateJwks.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaJwks.type,parentSchema:schemaJwks,data}];
return false;
}
}
validateJwks.errors = vErrors;
return errors === 0;
}
function validateLiveness(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateLiveness.evaluated;
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
validateLiveness.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaLiveness.required,parentSchema:schemaLiveness,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "Status")){
validateLiveness.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaLiveness,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.Status !== undefined){
let data0 = data.Status;
if(typeof data0 !== "string"){
validateLiveness.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaLiveness.properties.Status.type,parentSchema:schemaLiveness.properties.Status,data:data0}];
return false;
}
if("OK" !== data0){
validateLiveness.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/const",keyword:"const",params:{allowedValue: "OK"},message:"must be equal to constant",schema:"OK",parentSchema:schemaLiveness.properties.Status,data:data0}];
return false;
}
}
}
}
}
else {
validateLiveness.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaLiveness.type,parentSchema:schemaLiveness,data}];
return false;
}
}
validateLiveness.errors = vErrors;
return errors === 0;
}
function validateMobileUpdate(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateMobileUpdate.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schemaMobileUpdate.required,parentSchema:schemaMobileUpdate,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
if(data.id !== undefined){
if(!(validateIdentifier(data.id, {instancePath:instancePath+"/id",parentData:data,parentDataProperty:"id",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
}
if(data.num !== undefined){
if(!(validateText(data.num, {instancePath:instancePath+"/num",parentData:data,parentDataProperty:"num",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateText.errors : vErrors.concat(validateText.errors);
errors = vErrors.length;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
}
if(data.name !== undefined){
if(!(validateText(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateText.errors : vErrors.concat(validateText.errors);
errors = vErrors.length;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
}
if(data.tagIds !== undefined){
let data3 = data.tagIds;
if(Array.isArray(data3)){
if(data3.length > 1000){
const err1 = {instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schemaMobileUpdate.properties.tagIds,data:data3};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(!(validateIdentifier(data3[i0], {instancePath:instancePath+"/tagIds/" + i0,parentData:data3,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateIdentifier.errors : vErrors.concat(validateIdentifier.errors);
errors = vErrors.length;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
}
}
else {
const err2 = {instancePath:instancePath+"/tagIds",schemaPath:"#/properties/tagIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schemaMobileUpdate.properties.tagIds.type,parentSchema:schemaMobileUpdate.properties.tagIds,data:data3};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaMobileUpdate.type,parentSchema:schemaMobileUpdate,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors >= 10){
validateMobileUpdate.errors = vErrors;
return false;
}
}
validateMobileUpdate.errors = vErrors;
return errors === 0;
}
function validateOrgId(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateOrgId.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(typeof data === "string"){
if(data.length > 256 && func_fe6bb7b7(data) > 256){
validateOrgId.errors = [{instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schemaOrgId,data}];
return false;
}
else {
if(data.length < 1 && func_fe6bb7b7(data) < 1){
validateOrgId.errors = [{instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schemaOrgId,data}];
return false;
}
}
}
else {
validateOrgId.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaOrgId.type,parentSchema:schemaOrgId,data}];
return false;
}
}
validateOrgId.errors = vErrors;
return errors === 0;
}
function validateQueuedAt(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateQueuedAt.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(errors === 0){
if(typeof data === "string"){
if(!(pattern_51128e45.test(data) || formats_349c6e49.validate(data))){
validateQueuedAt.errors = [{instancePath,schemaPath:"#/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schemaQueuedAt,data}];
return false;
}
}
else {
validateQueuedAt.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaQueuedAt.type,parentSchema:schemaQueuedAt,data}];
return false;
}
}
}
validateQueuedAt.errors = vErrors;
return errors === 0;
}
function validateReadiness(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateReadiness.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((data.Status === undefined) && (missing0 = "Status")) || ((data.Items === undefined) && (missing0 = "Items"))) || ((data.Stores === undefined) && (missing0 = "Stores"))) || ((data.Gateway === undefined) && (missing0 = "Gateway"))){
validateReadiness.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'",schema:schemaReadiness.required,parentSchema:schemaReadiness,data}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "Status") || (key0 === "Items")) || (key0 === "Stores")) || (key0 === "Gateway"))){
validateReadiness.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schemaReadiness,data}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.Status !== undefined){
let data0 = data.Status;
const _errs2 = errors;
if(typeof data0 !== "string"){
validateReadiness.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaReadiness.properties.Status.type,parentSchema:schemaReadiness.properties.Status,data:data0}];
return false;
}
if(!((data0 === "OK") || (data0 === "NG"))){
validateReadiness.errors = [{instancePath:instancePath+"/Status",schemaPath:"#/properties/Status/enum",keyword:"enum",params:{allowedValues: schemaReadiness.properties.Status.enum},message:"must be equal to one of the allowed values",schema:schemaReadiness.properties.Status.enum,parentSchema:schemaReadiness.properties.Status,data:data0}];
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
validateReadiness.errors = [{instancePath:instancePath+"/Items",schemaPath:"#/properties/Items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'",schema:schemaReadiness.properties.Items.required,parentSchema:schemaReadiness.properties.Items,data:data1}];
return false;
}
else {
const _errs6 = errors;
for(const key1 in data1){
if(!(((key1 === "geo-api") || (key1 === "backend-api")) || (key1 === "voip-api"))){
validateReadiness.errors = [{instancePath:instancePath+"/Items",schemaPath:"#/properties/Items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schemaReadiness.properties.Items,data:data1}];
return false;
break;
}
}
if(_errs6 === errors){
if(data1["geo-api"] !== undefined){
const _errs7 = errors;
if(!(validateDependencyStatus(data1["geo-api"], {instancePath:instancePath+"/Items/geo-api",parentData:data1,parentDataProperty:"geo-api",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDependencyStatus.errors : vErrors.concat(validateDependencyStatus.errors);
errors = vErrors.length;
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1["backend-api"] !== undefined){
const _errs8 = errors;
if(!(validateDependencyStatus(data1["backend-api"], {instancePath:instancePath+"/Items/backend-api",parentData:data1,parentDataProperty:"backend-api",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDependencyStatus.errors : vErrors.concat(validateDependencyStatus.errors);
errors = vErrors.length;
}
var valid1 = _errs8 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1["voip-api"] !== undefined){
const _errs9 = errors;
if(!(validateDependencyStatus(data1["voip-api"], {instancePath:instancePath+"/Items/voip-api",parentData:data1,parentDataProperty:"voip-api",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDependencyStatus.errors : vErrors.concat(validateDependencyStatus.errors);
errors = vErrors.length;
}
var valid1 = _errs9 === errors;
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
validateReadiness.errors = [{instancePath:instancePath+"/Items",schemaPath:"#/properties/Items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaReadiness.properties.Items.type,parentSchema:schemaReadiness.properties.Items,data:data1}];
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
const _errs10 = errors;
if(errors === _errs10){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing2;
if((((data5["job-store"] === undefined) && (missing2 = "job-store")) || ((data5.queue === undefined) && (missing2 = "queue"))) || ((data5["object-store"] === undefined) && (missing2 = "object-store"))){
validateReadiness.errors = [{instancePath:instancePath+"/Stores",schemaPath:"#/properties/Stores/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'",schema:schemaReadiness.properties.Stores.required,parentSchema:schemaReadiness.properties.Stores,data:data5}];
return false;
}
else {
const _errs12 = errors;
for(const key2 in data5){
if(!(((key2 === "job-store") || (key2 === "queue")) || (key2 === "object-store"))){
validateReadiness.errors = [{instancePath:instancePath+"/Stores",schemaPath:"#/properties/Stores/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schemaReadiness.properties.Stores,data:data5}];
return false;
break;
}
}
if(_errs12 === errors){
if(data5["job-store"] !== undefined){
const _errs13 = errors;
if(!(validateDependencyStatus(data5["job-store"], {instancePath:instancePath+"/Stores/job-store",parentData:data5,parentDataProperty:"job-store",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDependencyStatus.errors : vErrors.concat(validateDependencyStatus.errors);
errors = vErrors.length;
}
var valid2 = _errs13 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.queue !== undefined){
const _errs14 = errors;
if(!(validateDependencyStatus(data5.queue, {instancePath:instancePath+"/Stores/queue",parentData:data5,parentDataProperty:"queue",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDependencyStatus.errors : vErrors.concat(validateDependencyStatus.errors);
errors = vErrors.length;
}
var valid2 = _errs14 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5["object-store"] !== undefined){
const _errs15 = errors;
if(!(validateDependencyStatus(data5["object-store"], {instancePath:instancePath+"/Stores/object-store",parentData:data5,parentDataProperty:"object-store",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateDependencyStatus.errors : vErrors.concat(validateDependencyStatus.errors);
errors = vErrors.length;
}
var valid2 = _errs15 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
validateReadiness.errors = [{instancePath:instancePath+"/Stores",schemaPath:"#/properties/Stores/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaReadiness.properties.Stores.type,parentSchema:schemaReadiness.properties.Stores,data:data5}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.Gateway !== undefined){
let data9 = data.Gateway;
const _errs16 = errors;
if(typeof data9 !== "string"){
validateReadiness.errors = [{instancePath:instancePath+"/Gateway",schemaPath:"#/properties/Gateway/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaReadiness.properties.Gateway.type,parentSchema:schemaReadiness.properties.Gateway,data:data9}];
return false;
}
if(!(((data9 === "OK") || (data9 === "STARTING")) || (data9 === "DRAINING"))){
validateReadiness.errors = [{instancePath:instancePath+"/Gateway",schemaPath:"#/properties/Gateway/enum",keyword:"enum",params:{allowedValues: schemaReadiness.properties.Gateway.enum},message:"must be equal to one of the allowed values",schema:schemaReadiness.properties.Gateway.enum,parentSchema:schemaReadiness.properties.Gateway,data:data9}];
return false;
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
}
else {
validateReadiness.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaReadiness.type,parentSchema:schemaReadiness,data}];
return false;
}
}
validateReadiness.errors = vErrors;
return errors === 0;
}
function validateReportDate(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateReportDate.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern_41d60ef9.test(data)){
const err0 = {instancePath,schemaPath:"#/allOf/0/pattern",keyword:"pattern",params:{pattern: "^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"},message:"must match pattern \""+"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"+"\"",schema:"^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$",parentSchema:schemaReportDate.allOf[0],data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateReportDate.errors = vErrors;
return false;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/allOf/0/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaReportDate.allOf[0].type,parentSchema:schemaReportDate.allOf[0],data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateReportDate.errors = vErrors;
return false;
}
}
if(typeof data === "string"){
if(!pattern_ba002fe0.test(data)){
const err2 = {instancePath,schemaPath:"#/allOf/1/pattern",keyword:"pattern",params:{pattern: "^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T"},message:"must match pattern \""+"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T"+"\"",schema:"^(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T",parentSchema:schemaReportDate.allOf[1],data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateReportDate.errors = vErrors;
return false;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaReportDate.allOf[1].type,parentSchema:schemaReportDate.allOf[1],data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors >= 10){
validateReportDate.errors = vErrors;
return false;
}
}
if(typeof data === "string"){
if(!pattern_b583d1a3.test(data)){
const err4 = {instancePath,schemaPath:"#/allOf/2/pattern",keyword:"pattern",params:{pattern: "^(?!0000-|0001-01-01|9999-12-31)"},message:"must match pattern \""+"^(?!0000-|0001-01-01|9999-12-31)"+"\"",schema:"^(?!0000-|0001-01-01|9999-12-31)",parentSchema:schemaReportDate.allOf[2],data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
if(errors >= 10){
validateReportDate.errors = vErrors;
return false;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/allOf/2/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaReportDate.allOf[2].type,parentSchema:schemaReportDate.allOf[2],data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
if(errors >= 10){
validateReportDate.errors = vErrors;
return false;
}
}
validateReportDate.errors = vErrors;
return errors === 0;
}
function validateText(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateText.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(data.length > 256 && func_e360621c(data) > 256){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schemaText,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateText.errors = vErrors;
return false;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaText.type,parentSchema:schemaText,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateText.errors = vErrors;
return false;
}
}
validateText.errors = vErrors;
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
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.loginId === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "loginId"},message:"must have required property '"+"loginId"+"'",schema:schemaUserAccountInput.required,parentSchema:schemaUserAccountInput,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
if(data.loginId !== undefined){
let data0 = data.loginId;
if(typeof data0 === "string"){
if(data0.length > 256 && func_e360621c(data0) > 256){
const err1 = {instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/maxLength",keyword:"maxLength",params:{limit: 256},message:"must NOT have more than 256 characters",schema:256,parentSchema:schemaUserAccountInput.properties.loginId,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
if(data0.length < 1 && func_e360621c(data0) < 1){
const err2 = {instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schemaUserAccountInput.properties.loginId,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
else {
const err3 = {instancePath:instancePath+"/loginId",schemaPath:"#/properties/loginId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schemaUserAccountInput.properties.loginId.type,parentSchema:schemaUserAccountInput.properties.loginId,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.password !== undefined){
if(!(validateText(data.password, {instancePath:instancePath+"/password",parentData:data,parentDataProperty:"password",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateText.errors : vErrors.concat(validateText.errors);
errors = vErrors.length;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.name !== undefined){
if(!(validateText(data.name, {instancePath:instancePath+"/name",parentData:data,parentDataProperty:"name",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateText.errors : vErrors.concat(validateText.errors);
errors = vErrors.length;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.isAdmin !== undefined){
let data3 = data.isAdmin;
if(typeof data3 !== "boolean"){
const err4 = {instancePath:instancePath+"/isAdmin",schemaPath:"#/properties/isAdmin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.isAdmin.type,parentSchema:schemaUserAccountInput.properties.isAdmin,data:data3};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.useChat !== undefined){
let data4 = data.useChat;
if(typeof data4 !== "boolean"){
const err5 = {instancePath:instancePath+"/useChat",schemaPath:"#/properties/useChat/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useChat.type,parentSchema:schemaUserAccountInput.properties.useChat,data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.functionRestriction !== undefined){
let data5 = data.functionRestriction;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err6 = {instancePath:instancePath+"/functionRestriction",schemaPath:"#/properties/functionRestriction/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaUserAccountInput.properties.functionRestriction.type,parentSchema:schemaUserAccountInput.properties.functionRestriction,data:data5};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.useIndivFilter !== undefined){
let data6 = data.useIndivFilter;
if(typeof data6 !== "boolean"){
const err7 = {instancePath:instancePath+"/useIndivFilter",schemaPath:"#/properties/useIndivFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useIndivFilter.type,parentSchema:schemaUserAccountInput.properties.useIndivFilter,data:data6};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.indivs !== undefined){
if(!(validateFilterEntries(data.indivs, {instancePath:instancePath+"/indivs",parentData:data,parentDataProperty:"indivs",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateFilterEntries.errors : vErrors.concat(validateFilterEntries.errors);
errors = vErrors.length;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.useVPTGrpFilter !== undefined){
let data8 = data.useVPTGrpFilter;
if(typeof data8 !== "boolean"){
const err8 = {instancePath:instancePath+"/useVPTGrpFilter",schemaPath:"#/properties/useVPTGrpFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useVPTGrpFilter.type,parentSchema:schemaUserAccountInput.properties.useVPTGrpFilter,data:data8};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.vptGrps !== undefined){
if(!(validateFilterEntries(data.vptGrps, {instancePath:instancePath+"/vptGrps",parentData:data,parentDataProperty:"vptGrps",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateFilterEntries.errors : vErrors.concat(validateFilterEntries.errors);
errors = vErrors.length;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.useLandmarkCategoryFilter !== undefined){
let data10 = data.useLandmarkCategoryFilter;
if(typeof data10 !== "boolean"){
const err9 = {instancePath:instancePath+"/useLandmarkCategoryFilter",schemaPath:"#/properties/useLandmarkCategoryFilter/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useLandmarkCategoryFilter.type,parentSchema:schemaUserAccountInput.properties.useLandmarkCategoryFilter,data:data10};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.landmarkCategories !== undefined){
if(!(validateFilterEntries(data.landmarkCategories, {instancePath:instancePath+"/landmarkCategories",parentData:data,parentDataProperty:"landmarkCategories",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateFilterEntries.errors : vErrors.concat(validateFilterEntries.errors);
errors = vErrors.length;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
if(data.useConnectionLimit !== undefined){
let data12 = data.useConnectionLimit;
if(typeof data12 !== "boolean"){
const err10 = {instancePath:instancePath+"/useConnectionLimit",schemaPath:"#/properties/useConnectionLimit/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schemaUserAccountInput.properties.useConnectionLimit.type,parentSchema:schemaUserAccountInput.properties.useConnectionLimit,data:data12};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaUserAccountInput.type,parentSchema:schemaUserAccountInput,data};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
if(errors >= 10){
validateUserAccountInput.errors = vErrors;
return false;
}
}
validateUserAccountInput.errors = vErrors;
return errors === 0;
}
function validateUserAccountOperation(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validateUserAccountOperation.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schemaUserAccountOperation.required,parentSchema:schemaUserAccountOperation,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
if(data.userAccountInput === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "userAccountInput"},message:"must have required property '"+"userAccountInput"+"'",schema:schemaUserAccountOperation.required,parentSchema:schemaUserAccountOperation,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
if(data.type !== undefined){
let data0 = data.type;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schemaUserAccountOperation.properties.type.type,parentSchema:schemaUserAccountOperation.properties.type,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 2 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2},message:"must be <= 2",schema:2,parentSchema:schemaUserAccountOperation.properties.type,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
if(data0 < 0 || isNaN(data0)){
const err4 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schemaUserAccountOperation.properties.type,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
}
}
if(data.userAccountInput !== undefined){
if(!(validateUserAccountInput(data.userAccountInput, {instancePath:instancePath+"/userAccountInput",parentData:data,parentDataProperty:"userAccountInput",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validateUserAccountInput.errors : vErrors.concat(validateUserAccountInput.errors);
errors = vErrors.length;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schemaUserAccountOperation.type,parentSchema:schemaUserAccountOperation,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
if(errors >= 10){
validateUserAccountOperation.errors = vErrors;
return false;
}
}
validateUserAccountOperation.errors = vErrors;
return errors === 0;
}
validateBadInput.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateBulkMobileReply.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateBulkMobileRequest.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};
validateBulkUserAccountReply.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateBulkUserAccountRequest.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};
validateDependencyStatus.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateDriver.evaluated = {"props":{"mobileId":true,"employeeCode":true,"employeeName":true},"dynamicProps":false,"dynamicItems":false};
validateDriverError.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateDrivingReportReply.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateDrivingReportRequest.evaluated = {"props":{"date":true,"drivers":true},"dynamicProps":false,"dynamicItems":false};
validateFailure.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateFilterEntries.evaluated = {"items":true,"dynamicProps":false,"dynamicItems":false};
validateIdentifier.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateJobId.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateJwk.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateJwks.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateLiveness.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateMobileUpdate.evaluated = {"props":{"id":true,"num":true,"name":true,"tagIds":true},"dynamicProps":false,"dynamicItems":false};
validateOrgId.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateQueuedAt.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateReadiness.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
validateReportDate.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateText.evaluated = {"dynamicProps":false,"dynamicItems":false};
validateUserAccountInput.evaluated = {"props":{"loginId":true,"password":true,"name":true,"isAdmin":true,"useChat":true,"functionRestriction":true,"useIndivFilter":true,"indivs":true,"useVPTGrpFilter":true,"vptGrps":true,"useLandmarkCategoryFilter":true,"landmarkCategories":true,"useConnectionLimit":true},"dynamicProps":false,"dynamicItems":false};
validateUserAccountOperation.evaluated = {"props":{"type":true,"userAccountInput":true},"dynamicProps":false,"dynamicItems":false};
