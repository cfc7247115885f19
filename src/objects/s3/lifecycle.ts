import { GetBucketLifecycleConfigurationCommand, type LifecycleRule, type S3Client } from '@aws-sdk/client-s3';
import { BODY_PREFIX, REPORT_PREFIX } from '../object-store.js';

/**
 * Checks that the lifecycle rules remove reports, and not too early. A server that does not show its rules counts as
 * correct, because the gateway does not require the right to read them.
 *
 * @param days time for which reports are kept
 * @returns one line per missing or wrong rule, with the change to make
 */
export async function lifecycleFaults(client: S3Client, bucket: string, days: number): Promise<readonly string[]> {
  const enabled = await rulesOf(client, bucket);
  if (enabled === undefined) return [];
  const rules = enabled.filter((rule) => ruleCovers(rule, REPORT_PREFIX));
  const faults = enabled
    .filter((rule) => removesReportsBefore(rule, days))
    .map(
      ({ ID = '', Expiration: { Days = 0, Date: date } = {} }) =>
        `The lifecycle rule "${ID}" of the bucket removes reports ` +
        (date === undefined ? `after ${Days} days` : `on ${date.toISOString().slice(0, 10)}, whatever their age`) +
        `, and REPORT_RETENTION_DAYS is ${days}. Let ${REPORT_PREFIX} expire after ${days} days, or later.`,
    );
  if (!rules.some(expires)) {
    faults.push(
      `No lifecycle rule of the bucket removes old reports. Let ${REPORT_PREFIX} expire after ${days} days, or later.`,
    );
  }
  if (!rules.some(({ AbortIncompleteMultipartUpload }) => AbortIncompleteMultipartUpload !== undefined)) {
    faults.push(
      `No lifecycle rule of the bucket removes what killed processes leave behind. ` +
        `Add AbortIncompleteMultipartUpload for ${REPORT_PREFIX}, after 1 day.`,
    );
  }
  return faults;
}

/** Checks for a rule that removes bodies which jobs leave behind. @returns one line if it is missing */
export async function bodyLifecycleFaults(client: S3Client, bucket: string, days: number): Promise<readonly string[]> {
  const enabled = await rulesOf(client, bucket);
  if (enabled === undefined || enabled.some((rule) => ruleCovers(rule, BODY_PREFIX) && expires(rule))) return [];
  return [
    `No lifecycle rule of the bucket removes large bodies that jobs leave behind. Let ${BODY_PREFIX} expire after ` +
      `${days} days, or later.`,
  ];
}

/** Reads the enabled rules; undefined if the server does not show them. */
async function rulesOf(client: S3Client, bucket: string): Promise<readonly LifecycleRule[] | undefined> {
  try {
    const { Rules = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }));
    return Rules.filter(({ Status }) => Status === 'Enabled');
  } catch (error) {
    return error instanceof Error && error.name === 'NoSuchLifecycleConfiguration' ? [] : undefined;
  }
}

/** Returns whether a rule applies to every key with a prefix. */
function ruleCovers(rule: LifecycleRule, prefix: string): boolean {
  const { Tag, ObjectSizeGreaterThan, ObjectSizeLessThan, And } = rule.Filter ?? {};
  const someOnly = [Tag, ObjectSizeGreaterThan, ObjectSizeLessThan, And].some((narrower) => narrower !== undefined);
  return !someOnly && prefix.startsWith(prefixOf(rule));
}

/** Returns whether a rule removes objects by their age. */
function expires({ Expiration }: LifecycleRule): boolean {
  return Expiration?.Days !== undefined;
}

/** Returns whether a rule removes reports before they have been kept for a number of days. Reports carry no tags. */
function removesReportsBefore(rule: LifecycleRule, days: number): boolean {
  const prefix = prefixOf(rule);
  const tagged = rule.Filter?.Tag ?? rule.Filter?.And?.Tags?.[0];
  const meetsReports = tagged === undefined && (REPORT_PREFIX.startsWith(prefix) || prefix.startsWith(REPORT_PREFIX));
  const { Days = Infinity, Date: date } = rule.Expiration ?? {};
  // From its date on, a rule removes objects of every age.
  return meetsReports && (Days < days || date !== undefined);
}

function prefixOf(rule: LifecycleRule): string {
  // Old rules have their prefix outside the filter.
  const beside: unknown = Reflect.get(rule, 'Prefix');
  return rule.Filter?.Prefix ?? rule.Filter?.And?.Prefix ?? (typeof beside === 'string' ? beside : '');
}
