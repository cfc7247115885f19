/** Code that is not mutated: lines of the log, and texts of errors. Tests of their words would be copies of them. */

const TEXTS = ['StringLiteral', 'TemplateLiteral'];

/** `log.event('job.accepted', { … })`, whatever the logger is called. */
function isLogCall({ type, callee }) {
  return type === 'CallExpression' && callee.type === 'MemberExpression' && callee.property.name === 'event';
}

/** The text in `new JobStoppedError('The job was stopped.')`. */
function isTextOfError({ node, parent }) {
  return (
    TEXTS.includes(node.type) && parent?.type === 'NewExpression' && parent.callee.name?.endsWith('Error') === true
  );
}

/** An ignorer of Stryker; `path` is a node of the syntax tree with its parent, as Babel has it. */
export const ignoredTexts = {
  shouldIgnore(path) {
    if (isLogCall(path.node)) return 'It is written to the log.';
    return isTextOfError(path) ? 'It is the text of an error.' : undefined;
  },
};
