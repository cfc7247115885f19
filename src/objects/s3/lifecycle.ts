import { GetBucketLifecycleConfigurationCommand, type LifecycleRule, type S3Client } from '@aws-sdk/client-s3';
import { REPORT_PREFIX, REPORT_RETENTION_DAYS } from '../retention.js';

/**
 * What a bucket would keep for ever. A server that does not say which rules it has is believed to have them: the right
 * to ask is not one that the gateway needs.
 *
 * @returns one line per rule that is missing, with what to change
 */
export async function missingLifecycleRules(client: S3Client, bucket: string): Promise<readonly string[]> {
  const rules = await rulesOf(client, bucket);
  if (rules === undefined) return [];
  const missing: string[] = [];
  if (!rules.some(({ Expiration }) => Expiration?.Days !== undefined || Expiration?.Date !== undefined)) {
    missing.push(
      `No lifecycle rule of the bucket removes old reports. Let ${REPORT_PREFIX} expire after ` +
        `${REPORT_RETENTION_DAYS} days, or later.`,
    );
  }
  if (!rules.some(({ AbortIncompleteMultipartUpload }) => AbortIncompleteMultipartUpload !== undefined)) {
    missing.push(
      `No lifecycle rule of the bucket removes what killed processes leave behind. ` +
        `Add AbortIncompleteMultipartUpload for ${REPORT_PREFIX}, after 1 day.`,
    );
  }
  return missing;
}

/** The rules that hold for every report; undefined when the server does not tell. */
async function rulesOf(client: S3Client, bucket: string): Promise<readonly LifecycleRule[] | undefined> {
  try {
    const { Rules = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }));
    return Rules.filter(coversReports);
  } catch (error) {
    return error instanceof Error && error.name === 'NoSuchLifecycleConfiguration' ? [] : undefined;
  }
}

function coversReports(rule: LifecycleRule): boolean {
  const { Tag, ObjectSizeGreaterThan, ObjectSizeLessThan, And, Prefix } = rule.Filter ?? {};
  const someOnly = [Tag, ObjectSizeGreaterThan, ObjectSizeLessThan, And].some((narrower) => narrower !== undefined);
  // Old rules have their prefix beside the filter.
  const prefix = Prefix ?? legacyPrefix(rule) ?? '';
  return rule.Status === 'Enabled' && !someOnly && REPORT_PREFIX.startsWith(prefix);
}

function legacyPrefix(rule: LifecycleRule): string | undefined {
  const prefix: unknown = Reflect.get(rule, 'Prefix');
  return typeof prefix === 'string' ? prefix : undefined;
}
