/** Rules of this project, which no library has. */
export default {
  meta: { name: 'project' },
  rules: {
    /**
     * Refuses comments with sentences that begin with a word behind which the subject hides, and with lines that are
     * longer than the option says. The formatter breaks lines of code, and leaves comments alone.
     */
    comments: {
      meta: { schema: [{ type: 'integer' }] },
      create: (context) => ({
        Program() {
          const { lines } = context.sourceCode;
          const [length] = context.options;
          for (const { value, loc } of context.sourceCode.getAllComments()) {
            if (/(?:^|[.!?][)`"]?)[\s*]*(?:What|Whoever|Nobody|Somebody|Of)\s/.test(value))
              context.report({ loc, message: 'Begin each sentence with its subject or its verb.' });
            const own = lines.slice(loc.start.line - 1, loc.end.line);
            if (own.some((line) => line.length > length && !line.includes('://')))
              context.report({ loc, message: `Break lines with comments after ${length} characters.` });
          }
        },
      }),
    },
    /** Refuses `private`: such members are written with `#`. A constructor has no such name. */
    'private-names': {
      create(context) {
        const refuse = (node) => {
          if (node.accessibility === 'private' && node.kind !== 'constructor')
            context.report({ node, message: 'Private members are written with #.' });
        };
        return { PropertyDefinition: refuse, TSParameterProperty: refuse, MethodDefinition: refuse };
      },
    },
  },
};
