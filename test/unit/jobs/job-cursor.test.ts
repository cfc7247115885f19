import { describe, expect, it } from '@jest/globals';
import { jobCursor, readJobCursor } from '../../../src/jobs/job-list.js';

const cursorOf = (json: string): string => Buffer.from(json).toString('base64url');

describe('a cursor of jobs', () => {
  it.each([
    [{ createdAt: 0, kind: 'mobiles', jobId: '' } as const],
    [{ createdAt: 1_234, kind: 'user-accounts', jobId: '株/…' } as const],
  ])('is read back as it was made: %j', (position) => {
    expect(readJobCursor(jobCursor(position))).toEqual(position);
  });

  it.each([
    ['no JSON', cursorOf('nonsense')],
    ['nothing', ''],
    ['a list of other things', cursorOf('["else"]')],
    ['no list', cursorOf('{"0":1,"1":"mobiles","2":"job"}')],
    ['null', cursorOf('null')],
    ['a time that is text', cursorOf('["1","mobiles","job"]')],
    ['a time that is none', cursorOf('[null,"mobiles","job"]')],
    ['a time with a fraction', cursorOf('[1.5,"mobiles","job"]')],
    ['a time before 1970', cursorOf('[-1,"mobiles","job"]')],
    ['a kind that there is not', cursorOf('[1,"cars","job"]')],
    ['a kind within a list', cursorOf('[1,["mobiles"],"job"]')],
    ['no id', cursorOf('[1,"mobiles"]')],
    ['an id that is a number', cursorOf('[1,"mobiles",7]')],
    ['an id of broken text', cursorOf('[1,"mobiles","\\ud800"]')],
  ])('that holds %s is refused by its name', (_what, cursor) => {
    expect(() => readJobCursor(cursor)).toThrow(
      expect.objectContaining({ code: 'BadInput', message: 'The input cannot be used: after must be an endCursor.' }),
    );
  });
});
