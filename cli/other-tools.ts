import { didYouMean } from '../src/schema/nearest-name.ts'

const COMMITTED = 'nothing is applied: commit what krm-variants render wrote, and GitOps or Porch applies that'
const MAKES = 'did you mean render? krm-variants render makes the packages'
const WRITES = 'krm-variants fn fan-out DIR --write writes the variants, krm-variants render the packages'
const CHECKS = 'did you mean check? krm-variants check reports all faults of a folder'
const SHOWS =
  'did you mean plan? krm-variants plan shows the changes of variants, krm-variants render --dry-run --diff those of packages, krm-variants diff those since a git revision'
const UPDATES =
  'did you mean outdated? krm-variants outdated --write raises the revisions of sets, krm-variants render brings the packages up to date'
const FUNCTIONS = 'krm-variants fn NAME DIR runs one function on a folder, krm-variants run DIR the functions of its packages'
const REMOVES = 'nothing is removed by a command: take the set or the target out of the fleet, and krm-variants render removes its packages'

/** Names of commands in other tools, with what this tool has for the same work. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  apply: COMMITTED,
  approve: 'did you mean promote? krm-variants promote brings a revision to the next ring',
  audit: CHECKS,
  build: MAKES,
  bump: UPDATES,
  clone: MAKES,
  compare: 'did you mean diff? krm-variants diff compares the fleet with a git revision',
  create: WRITES,
  delete: REMOVES,
  dependency: 'did you mean resolve? krm-variants resolve adds the packages that others require',
  deploy: COMMITTED,
  destroy: REMOVES,
  doctor: CHECKS,
  eval: `${FUNCTIONS}; krm-variants cel evaluates an expression`,
  exec: FUNCTIONS,
  expand: MAKES,
  fix: 'did you mean check? krm-variants check --fix writes the fixes of what it finds',
  fmt: 'did you mean check? krm-variants check --fix writes the fixes of what it finds',
  format: 'did you mean check? krm-variants check --fix writes the fixes of what it finds',
  function: FUNCTIONS,
  functions: FUNCTIONS,
  generate: WRITES,
  get: 'did you mean explain? krm-variants explain NAME shows a variant, krm-variants graph all of them',
  history: 'did you mean diff? krm-variants diff compares the fleet with a git revision',
  hydrate: MAKES,
  inspect: 'did you mean explain? krm-variants explain NAME shows a variant',
  install: 'did you mean resolve? krm-variants resolve adds the packages that others require',
  lint: CHECKS,
  list: 'did you mean plan? krm-variants plan lists the changes, krm-variants graph shows what exists',
  live: COMMITTED,
  ls: 'did you mean plan? krm-variants plan lists the changes, krm-variants graph shows what exists',
  manifest: MAKES,
  new: 'did you mean init? krm-variants init writes a small fleet to begin with',
  pkg: `${MAKES}; ${UPDATES}`,
  preview: SHOWS,
  remove: REMOVES,
  rollback: 'nothing is rolled back: revert the commit, or krm-variants promote an earlier revision',
  rollout: 'did you mean promote? krm-variants promote brings a revision to the next ring, krm-variants rings shows where it is',
  scan: CHECKS,
  search: 'did you mean explain? krm-variants explain NAME shows a variant, krm-variants graph all of them',
  show: 'did you mean explain? krm-variants explain NAME shows a variant, krm-variants graph all of them',
  status: 'did you mean plan? krm-variants plan shows what would change, krm-variants explain --behind which packages are behind',
  template: MAKES,
  test: `${CHECKS}, krm-variants render --dry-run renders without a write`,
  uninstall: REMOVES,
  up: COMMITTED,
  update: UPDATES,
  upgrade: `${UPDATES}, krm-variants resolve what packages require`,
  validate: CHECKS,
  verify: CHECKS,
  version: 'krm-variants --version prints the version',
  vet: CHECKS,
}

const VALUES =
  '; values are not given on the command line: a set gives them to its packages with `packageContext` or `pipeline` of its `template` (docs/start.md)'

/** Options of other tools, with what this tool has for the same. */
const OTHER_OPTIONS: Readonly<Record<string, string>> = {
  '--set': VALUES,
  '--set-file': VALUES,
  '--set-json': VALUES,
  '--set-string': VALUES,
  '--value': VALUES,
  '--values': VALUES,
  '--var': VALUES,
  '--image': `; ${FUNCTIONS}`,
  '--exec': `; --allow-exec allows the programs of pipelines; ${FUNCTIONS}`,
  '--fn-config': '; krm-variants fn NAME DIR -- KEY=VALUE gives a function its values',
  '--kubeconfig': '; no cluster is read: krm-variants reads folders and git',
  '--context': '; no cluster is read: krm-variants reads folders and git',
  '--namespace': '; the namespaces of a fleet are in its files: `metadata.namespace` of a set, or set-namespace in its `pipeline`',
  '--strategy': '; `updateStrategy` of RenderVariants chooses how packages are updated',
}

/** Names that kpt has behind `fn`. */
const FN_COMMANDS: Readonly<Record<string, string>> = {
  eval: FUNCTIONS,
  exec: FUNCTIONS,
  render: 'did you mean krm-variants run? It runs the functions of packages as kpt fn render does',
  run: 'krm-variants run DIR runs the functions of packages',
  sink: '--write writes the output of a function into the folder',
  source: 'a function reads a folder by itself: krm-variants fn NAME DIR',
}

/** Returns what to use in the place of a word behind `fn` that is a command of kpt; '' for any other word. */
export function insteadOfFn(name: string): string {
  return Object.hasOwn(FN_COMMANDS, name) ? `; ${FN_COMMANDS[name]}` : ''
}

/** Adds to an error of commander what was most likely meant: a command or option of another tool, a short option, the nearest choice. */
export function withCommandHint(text: string, options: readonly string[]): string {
  for (const [pattern, hint] of HINTS) {
    const found = pattern.exec(text)
    const added = found === null ? '' : hint(found, options)
    // Commander's own question is about names that are spelt alike.
    if (added !== '') return text.replace(/\.?(\n\(Did you mean .*)?\n$/, () => `${added}\n`)
  }
  return text
}

type HintOf = (found: RegExpExecArray, options: readonly string[]) => string

const HINTS: readonly (readonly [RegExp, HintOf])[] = [
  [/^error: missing required argument 'shell'\n$/, () => ': bash, zsh or fish'],
  [/^error: unknown command '([^']*)'\n(.*)/, ([, name = '', question = '']) => insteadOf(name, question)],
  [/^error: unknown option '(--[^'=]*)/, ([, name = '']) => (Object.hasOwn(OTHER_OPTIONS, name) ? (OTHER_OPTIONS[name] ?? '') : '')],
  [/^error: unknown option '-([fn])'\n$/, ([, letter = ''], options) => `${longOptions(letter, options)}${ofHelm(letter)}`],
  [/^error: unknown option '-([A-Za-z])'\n$/, ([, letter = ''], options) => longOptions(letter, options)],
  [/'([^']*)' is invalid.* Allowed choices are (.*)\.\n$/, ([, got = '', choices = '']) => didYouMean(got, choices.split(', '))],
]

/** Returns what `-f` and `-n` are in helm and kubectl. */
function ofHelm(letter: string): string {
  return (letter === 'f' ? OTHER_OPTIONS['--values'] : OTHER_OPTIONS['--namespace']) ?? ''
}

/** @param question  commander's own question for a name that is near a command */
function insteadOf(name: string, question: string): string {
  if (Object.hasOwn(OTHER_COMMANDS, name)) return `; ${OTHER_COMMANDS[name]}`
  return question === '' ? '; krm-variants --help lists the commands' : ''
}

/** Returns the options that begin with a letter: `-o` may mean `--out` or `--only`. */
function longOptions(letter: string, options: readonly string[]): string {
  const meant = options.filter((option) => option.startsWith(`--${letter.toLowerCase()}`))
  return meant.length === 0 ? '; --help lists the options' : `; did you mean ${meant.join(' or ')}?`
}
