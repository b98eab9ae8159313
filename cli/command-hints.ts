import { didYouMean } from '../src/schema/nearest-name.ts'

/** Names of commands in other tools, with what this tool has for the same work. */
const OTHER_TOOLS: Readonly<Record<string, string>> = {
  apply: 'nothing is applied: commit what render wrote, and GitOps or Porch applies that',
  build: 'krm-variants render makes the packages',
  create: 'krm-variants fn fan-out DIR --write writes the variants, krm-variants render the packages',
  deploy: 'nothing is applied: commit what render wrote, and GitOps or Porch applies that',
  eval: 'krm-variants fn runs a function on a folder, krm-variants cel evaluates an expression',
  generate: 'krm-variants fn fan-out DIR --write writes the variants, krm-variants render the packages',
  get: 'krm-variants explain NAME shows a variant, krm-variants graph all of them',
  init: 'a fleet is a folder of YAML files; docs/start.md begins with an empty one',
  install: 'krm-variants resolve adds the packages that others require',
  lint: 'krm-variants check reports all faults of a folder',
  list: 'krm-variants plan lists the changes, krm-variants graph what is there',
  new: 'a fleet is a folder of YAML files; docs/start.md begins with an empty one',
  preview: 'krm-variants plan shows the changes of variants, krm-variants render --dry-run --diff those of packages',
  status: 'krm-variants plan shows what would change, krm-variants explain --behind which packages are behind',
  sync: 'krm-variants render brings the packages up to date',
  update: 'krm-variants render brings the packages up to date',
  upgrade: 'krm-variants render brings the packages up to date, krm-variants resolve what packages require',
  validate: 'krm-variants check reports all faults of a folder',
  verify: 'krm-variants check reports all faults of a folder',
  version: 'krm-variants --version prints the version',
}

/** Adds to an error of commander what was most likely meant: a command of another tool, a short option, the nearest choice. */
export function withCommandHint(text: string, options: readonly string[]): string {
  for (const [pattern, hint] of HINTS) {
    const found = pattern.exec(text)
    const added = found === null ? '' : hint(found, options)
    if (added !== '') return text.replace(/\.?\n$/, () => `${added}\n`)
  }
  return text
}

type HintOf = (found: RegExpExecArray, options: readonly string[]) => string

const HINTS: readonly (readonly [RegExp, HintOf])[] = [
  [/^error: unknown command '([^']*)'\n$/, ([, name = '']) => instead(name)],
  [/^error: unknown option '-([A-Za-z])'\n$/, ([, letter = ''], options) => longOptions(letter, options)],
  [/'([^']*)' is invalid.* Allowed choices are (.*)\.\n$/, ([, got = '', choices = '']) => didYouMean(got, choices.split(', '))],
]

function instead(name: string): string {
  return `; ${Object.hasOwn(OTHER_TOOLS, name) ? OTHER_TOOLS[name] : 'krm-variants --help lists the commands'}`
}

/** Returns the options that begin with a letter: `-o` may stand for `--out` or `--only`. */
function longOptions(letter: string, options: readonly string[]): string {
  const meant = options.filter((option) => option.startsWith(`--${letter.toLowerCase()}`))
  return meant.length === 0 ? '; --help lists the options' : `; did you mean ${meant.join(' or ')}?`
}
