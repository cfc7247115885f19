import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';

/**
 * As good as every date and time is written (RFC 3339 section 5.6). Not here, and yet right: the 29th of February, leap
 * seconds, and whatever else only the library takes.
 */
const USUAL =
  '^[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)' +
  'T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$';

/**
 * Has `date-time` asked of the library only where one look at the text does not tell that it is right. The library
 * takes each apart into a dozen texts, and a page of mobiles has fifty of them, a day of trips thousands.
 *
 * @param ajv that has its formats
 */
export function recogniseUsualDateTimes(ajv: Ajv2020): void {
  const theirs = ajv.getKeyword('format');
  if (typeof theirs !== 'object' || !isCode(theirs)) throw new Error('Ajv has no keyword "format" that writes code.');
  ajv.removeKeyword('format');
  ajv.addKeyword({
    ...theirs,
    code(context, ruleType) {
      if (context.schema === 'date-time' && ruleType === 'string') passUsual(context);
      theirs.code(context, ruleType);
    },
  });
}

function isCode(definition: object): definition is CodeKeywordDefinition {
  return 'code' in definition && 'keyword' in definition;
}

/** The text of the library stands behind ours. */
function passUsual(context: KeywordCxt): void {
  const usual = _`${usePattern(context, USUAL)}.test(${context.data})`;
  const pass = context.pass.bind(context);
  context.pass = (theirs, ...rest) => pass(_`${usual} || ${theirs}`, ...rest);
}
