/** One instruction of a Dockerfile, its continued lines joined. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions between one `FROM` and the next. */
export interface Stage {
  readonly name: string | undefined;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** Name of another stage; undefined: from the directory that is built. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/** Reads a Dockerfile as far as ours goes: no here-documents, no `ARG` in front of `FROM`. */
export function parseDockerfile(text: string): readonly Stage[] {
  const instructions = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Instruction => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), text: rest.trim() };
    });
  const starts = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []));
  return starts.map((start, index) => {
    const [, image = '', name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instructions[start]?.text ?? '') ?? [];
    return { name, image, instructions: instructions.slice(start + 1, starts[index + 1]) };
  });
}

export function copiesOf({ instructions }: Stage): readonly Copy[] {
  return instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(/\s+/);
      const from = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined;
      return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '' };
    });
}

/** The text of the only instruction with this name. */
export function only({ instructions }: Stage, name: string): string {
  const [found, ...others] = instructions.filter((instruction) => instruction.name === name);
  if (found === undefined || others.length > 0) throw new Error(`There is not exactly one ${name}.`);
  return found.text;
}

/** Arguments in the JSON form of `CMD`, wherever they stand in the text. */
export function argumentsIn(text: string): readonly string[] {
  const list: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(list)) throw new Error(`No list of arguments: ${text}`);
  return list.map(String);
}
