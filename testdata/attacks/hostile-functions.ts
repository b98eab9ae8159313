/** A function of others that misbehaves: what it does, and how its process must end. */
export interface HostileFunction {
  readonly what: string
  /** A module in which `main` and `edit` are imported. */
  readonly code: string
  readonly stdout: Ending
  /** 'SIGKILL', 'SIGABRT': the function ended its process itself. */
  readonly exit: 0 | 1 | 'SIGKILL' | 'SIGABRT'
  /** A part of stderr. */
  readonly says?: string
}

/** Nothing; the input byte for byte; the edited input; the input with results. */
export type Ending = 'empty' | 'input' | 'edited' | 'results'

export const INPUT = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a
    annotations:
      internal.config.kubernetes.io/path: 'a.yaml'
  data:
    team: old # stays
`
export const EDITED = INPUT.replace('team: old', 'team: new')

const EXIT = '`process.exit` must not be called by a function'
const PENDING = 'the function must settle its promise'
const PLAIN = 'must be a value of JSON (a text, a finite number, true, false, null, a list or a map)'

/** Sets `data.when` to a value that is no plain JSON. */
const sets = (what: string, value: string, found: string): HostileFunction => ({
  what,
  code: `await main((list) => list.items[0].set(['data'], { when: ${value} }))`,
  stdout: 'results',
  exit: 1,
  says: found,
})

export const HOSTILE_FUNCTIONS: readonly HostileFunction[] = [
  {
    what: 'ends the process between two edits',
    code: 'await main((list) => { edit(list); process.exit(0) })',
    stdout: 'empty',
    exit: 1,
    says: EXIT,
  },
  {
    what: 'ends the process with no code while it is awaited',
    code: 'await main(async (list) => { edit(list); await null; process.exit() })',
    stdout: 'empty',
    exit: 1,
    says: EXIT,
  },
  {
    what: 'ends the process in a timer while it is awaited',
    code: 'await main(async () => { setTimeout(() => process.exit(0), 5); await new Promise((settle) => setTimeout(settle, 5000)) })',
    stdout: 'empty',
    exit: 1,
    says: EXIT,
  },
  {
    what: 'ends the process before stdin is read',
    code: 'setImmediate(() => process.exit(0)); const waiting = main(async () => { await new Promise(() => setTimeout(() => {}, 5000)) }); await waiting',
    stdout: 'empty',
    exit: 1,
    says: EXIT,
  },
  {
    what: 'sets exit code 0 when the process ends, and ends it',
    code: "await main(() => { process.on('exit', () => { process.exitCode = 0; process.exit(0) }); process.exit(0) })",
    stdout: 'empty',
    exit: 1,
    says: EXIT,
  },
  {
    what: 'never settles',
    code: 'await main(async (list) => { edit(list); await new Promise(() => {}) })',
    stdout: 'empty',
    exit: 1,
    says: PENDING,
  },
  {
    what: 'never settles, and main is not awaited',
    code: 'main(async (list) => { edit(list); await new Promise(() => {}) })',
    stdout: 'empty',
    exit: 1,
    says: PENDING,
  },
  {
    what: 'never settles, and removes all listeners',
    code: 'await main(async () => { process.removeAllListeners(); await new Promise(() => {}) })',
    stdout: 'empty',
    exit: 1,
  },
  {
    what: 'throws undefined',
    code: 'await main((list) => { edit(list); throw undefined })',
    stdout: 'results',
    exit: 1,
    says: 'got undefined',
  },
  {
    what: 'is rejected with an error',
    code: "await main(async (list) => { edit(list); throw new Error('no service') })",
    stdout: 'empty',
    exit: 1,
    says: 'no service',
  },
  {
    what: 'is rejected with findings',
    code: "await main(async (list) => { edit(list); throw new FunctionError([{ severity: 'error', message: 'no team', tags: { rule: 'team' } }]) })",
    stdout: 'results',
    exit: 1,
    says: 'error: no team [team]',
  },
  {
    what: 'loses a promise that is rejected while it is awaited',
    code: "await main(async () => { Promise.reject(new Error('lost')); await new Promise((settle) => setTimeout(settle, 500)) })",
    stdout: 'empty',
    exit: 1,
    says: 'lost',
  },
  {
    what: 'throws in a timer while it is awaited',
    code: "await main(async () => { setTimeout(() => { throw new Error('late') }, 5); await new Promise((settle) => setTimeout(settle, 500)) })",
    stdout: 'empty',
    exit: 1,
    says: 'late',
  },
  {
    what: 'edits behind an await',
    code: 'await main(async (list) => { await new Promise((settle) => setTimeout(settle, 20)); edit(list) })',
    stdout: 'edited',
    exit: 0,
  },
  {
    what: 'prints with every method of the console',
    code: "await main((list) => { for (const name of ['log', 'info', 'debug', 'dir', 'table', 'group']) console[name]('printed'); edit(list) })",
    stdout: 'edited',
    exit: 0,
    says: 'printed',
  },
  {
    what: 'writes to stdout',
    code: "await main((list) => { process.stdout.write('printed'); edit(list) })",
    stdout: 'edited',
    exit: 0,
    says: 'printed',
  },
  {
    what: 'writes to the stdout that it imports',
    code: "import { stdout } from 'node:process'\nawait main((list) => { stdout.write('printed'); edit(list) })",
    stdout: 'edited',
    exit: 0,
    says: 'printed',
  },
  {
    what: 'prints 100 MB',
    code: "await main((list) => { for (let n = 0; n < 100; n++) console.log('x'.repeat(1e6)); edit(list) })",
    stdout: 'edited',
    exit: 0,
  },
  {
    what: 'prints after it has returned',
    code: "await main((list) => { edit(list); setTimeout(() => { console.log('late'); process.stdout.write('late') }, 20) })",
    stdout: 'edited',
    exit: 0,
    says: 'late',
  },
  {
    what: 'ends the process with code 0 after an error',
    code: "await main((list) => { list.results.push({ severity: 'error', message: 'no', tags: { rule: 'team' } }) }); process.exit(0)",
    stdout: 'results',
    exit: 1,
  },
  {
    what: 'sets exit code 0 in a timer after an error',
    code: "await main((list) => { setTimeout(() => { process.exitCode = 0 }, 20); list.results.push({ severity: 'error', message: 'no', tags: { rule: 'team' } }) })",
    stdout: 'results',
    exit: 1,
  },
  {
    what: 'kills its process',
    code: "await main((list) => { edit(list); process.kill(process.pid, 'SIGKILL') })",
    stdout: 'empty',
    exit: 'SIGKILL',
  },
  { what: 'aborts its process', code: 'await main((list) => { edit(list); process.abort() })', stdout: 'empty', exit: 'SIGABRT' },
  {
    what: 'calls itself without end',
    code: 'await main((list) => { edit(list); (function again() { again() })() })',
    stdout: 'empty',
    exit: 1,
    says: 'RangeError',
  },
  sets(
    'sets a record that holds itself',
    '(() => { const a = {}; a.a = a; return a })()',
    `data.when.a\` ${PLAIN}, got a value that holds itself`,
  ),
  sets('sets a Date', 'new Date(0)', `data.when\` ${PLAIN}, got a Date`),
  sets('sets NaN', '[1, Number.NaN]', `data.when[1]\` ${PLAIN}, got NaN`),
  sets('sets Infinity', '-Infinity', `data.when\` ${PLAIN}, got -Infinity`),
  sets('sets a function', '() => 1', `data.when\` ${PLAIN}, got a function`),
  sets('sets undefined', 'undefined', `data.when\` ${PLAIN}, got undefined`),
  sets('sets a Map', 'new Map([[1, 2]])', `data.when\` ${PLAIN}, got a Map`),
  sets('sets a Set', "new Set(['a'])", `data.when\` ${PLAIN}, got a Set`),
  sets('sets an instance of a class', 'new (class Team { name = 1 })()', `data.when\` ${PLAIN}, got a Team`),
  sets('sets a list with a hole', '[1, , 3]', `data.when[1]\` ${PLAIN}, got undefined`),
  sets('sets a symbol', "Symbol('a')", `data.when\` ${PLAIN}, got a symbol`),
  sets('sets a promise', 'Promise.resolve(1)', `data.when\` ${PLAIN}, got a Promise`),
  {
    what: 'upserts an object with a Date',
    code: "await main((list) => { edit(list); list.upsert({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { at: new Date(0) } }, 'b.yaml') })",
    stdout: 'results',
    exit: 1,
    says: `b.yaml: error: \`data.at\` ${PLAIN}, got a Date [plain-json]`,
  },
  {
    what: 'reports a value that holds itself',
    code: "await main((list) => { const a = []; a[0] = a; list.results.push({ severity: 'info', message: 'm', field: { path: ['data'], currentValue: a }, tags: { rule: 'r' } }) })",
    stdout: 'results',
    exit: 1,
    says: '`results[0].field.currentValue[0]`',
  },
  {
    what: 'reports a result without tags',
    code: "await main((list) => { list.results.push({ severity: 'info', message: 'm' }) })",
    stdout: 'results',
    exit: 1,
    says: '`results[0].tags.rule` must be a text, got undefined [plain-json]',
  },
  {
    what: 'reports undefined',
    code: 'await main((list) => { list.results.push(undefined) })',
    stdout: 'results',
    exit: 1,
    says: '`results[0]` must be a result',
  },
  {
    what: 'sets the key __proto__, and what is below it',
    code: "await main((list) => { list.items[0].set(['spec', '__proto__', 'polluted'], true); if ({}.polluted) throw new Error('polluted'); edit(list); list.items[0].delete(['spec']) })",
    stdout: 'edited',
    exit: 0,
  },
  {
    what: 'sets a record with the keys __proto__ and constructor',
    code: "await main((list) => { list.items[0].set(['data'], JSON.parse('{\"__proto__\": {\"polluted\": \"a\"}, \"constructor\": {\"prototype\": {}}}')); if ({}.polluted) throw new Error('polluted'); list.items[0].set(['data'], { team: 'new' }); list.results.push({ severity: 'info', message: 'm', tags: { rule: 'r' } }) })",
    stdout: 'results',
    exit: 0,
  },
  {
    what: 'removes every object',
    code: 'await main((list) => { for (const item of [...list.items]) list.remove(item) })',
    stdout: 'results',
    exit: 1,
    says: 'empty-package',
  },
  {
    what: 'empties the list of items',
    code: 'await main((list) => { list.items.length = 0 })',
    stdout: 'results',
    exit: 1,
    says: '`items` must not be changed itself',
  },
  {
    what: 'has every text joined to nothing',
    code: "await main((list) => { edit(list); Array.prototype.join = () => '' })",
    stdout: 'empty',
    exit: 1,
    says: 'the output must not be empty',
  },
  {
    what: 'replaces the JSON of the process',
    code: "await main((list) => { globalThis.JSON = { stringify: () => 'x', parse: () => null }; edit(list) })",
    stdout: 'edited',
    exit: 0,
  },
]
