/** Words of the language that are followed by neither a parenthesis nor a brace. */
const WORDS: ReadonlySet<string> = new Set('and or unless bool offset by without on ignoring'.split(' '));

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** Finds the metrics that an expression of PromQL names, and the labels of its matchers, groupings and matchings. */
export function namedIn(expr: string) {
  const labels: string[] = [];
  const withoutTexts = expr.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const withoutMatchers = withoutTexts.replaceAll(/\{([^}]*)\}/g, (_all, matchers: string) => {
    labels.push(...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label));
    return '';
  });
  const withoutGroupings = withoutMatchers.replaceAll(GROUPING, (_all, list: string) => {
    labels.push(...list.split(',').flatMap((label) => label.trim() || []));
    return '';
  });
  const rest = withoutGroupings
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\boffset\s+\w+/g, '')
    // Functions and aggregations.
    .replaceAll(/\b\w+\s*(?=\()/g, '');
  const names = [...rest.matchAll(/(?<![\w.$])[a-zA-Z_:][\w:]*/g)].map(([name]) => name);
  return { metrics: [...new Set(names.filter((name) => !WORDS.has(name)))], labels: [...new Set(labels)] };
}
