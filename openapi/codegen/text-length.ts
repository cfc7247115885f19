import { _, str, type CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { useFunc } from 'ajv/dist/compile/util.js';
import ucs2lengthModule from 'ajv/dist/runtime/ucs2length.js';

const KEYWORDS = ['maxLength', 'minLength'];

const TEXT_LENGTH: CodeKeywordDefinition = {
  keyword: KEYWORDS,
  type: 'string',
  schemaType: 'number',
  before: 'pattern',
  error: {
    message: ({ keyword, schemaCode }) =>
      str`must NOT have ${keyword === 'maxLength' ? 'more' : 'fewer'} than ${schemaCode} characters`,
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  code(context) {
    const { keyword, data, gen } = context;
    const bound = Number(context.schema);
    const count = _`${useFunc(gen, ucs2lengthModule.default)}(${data})`;
    context.fail(
      keyword === 'maxLength'
        ? _`${data}.length > ${bound} && ${count} > ${bound}`
        : _`${data}.length < ${2 * bound - 1} && ${count} < ${bound}`,
    );
  },
};

/**
 * Puts `maxLength` and `minLength` in the place of Ajv's own, which count the characters of every text for either. They
 * mean the same, with the same faults; but of n UTF-16 units there are at most n characters and at least half as many,
 * and as a rule that is all one has to know.
 */
export function countFewerCharacters(ajv: Ajv2020): void {
  for (const keyword of KEYWORDS) ajv.removeKeyword(keyword);
  ajv.addKeyword(TEXT_LENGTH);
}
