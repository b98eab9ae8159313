import { expect, test } from 'vitest'
import { configMapWith, kptfileWith, runOfTexts, type TestProgram } from './testing/run-of-texts.ts'

// Without other words, each status is that of kpt's newest release to the same package; the words of errors are ours.

type Texts = Readonly<Record<string, string>>

/** Returns the Kptfile after a run that writes the status; undefined if the run does not change the Kptfile. */
function kptfileAfter(files: Texts, programs: Readonly<Record<string, TestProgram>> = {}, runners: Parameters<typeof runOfTexts>[2] = {}) {
  return runOfTexts(files, programs, { status: true, ...runners }).changes.find(({ path }) => path === 'Kptfile')?.text
}

/** Returns the lines of the status that a run writes. */
function statusAfter(...[files, programs, runners]: Parameters<typeof kptfileAfter>): readonly string[] {
  const lines = kptfileAfter(files, programs, runners)?.split('\n') ?? []
  return lines.slice(lines.indexOf('status:') + 1).filter((line) => line !== '')
}

function messageIn(status: readonly string[]): readonly string[] {
  const [start, end] = [status.indexOf('    message: |-'), status.indexOf('  renderStatus:')]
  return status.slice(start + 1, end === -1 ? undefined : end).map((line) => line.slice(6))
}

const RENDERED = ['  conditions:', '  - type: Rendered', '    status: "True"', '    reason: RenderSuccess']
const FAILED = ['  conditions:', '  - type: Rendered', '    status: "False"', '    reason: RenderFailed', '    message: |-']
const fails: TestProgram = () => ({ stderr: 'boom\n', exitCode: 3 })
const prints =
  (results: string): TestProgram =>
  (input) => ({ stdout: `${input}results:\n${results}` })

test('a run of all functions writes an entry for each, mutators apart from validators, in the order of the run', () => {
  const files = {
    Kptfile: kptfileWith(
      'pipeline:',
      '  validators: [{name: rv, exec: see}]',
      '  mutators: [{exec: up}, {name: r2, image: "set-labels:v1"}]',
    ),
    'a/Kptfile': kptfileWith('pipeline: {mutators: [{name: a1, exec: up}], validators: [{name: av, exec: see}]}'),
  }
  expect(statusAfter(files, {}, { programs: new Map([['set-labels', ['labels']]]) })).toEqual([
    ...RENDERED,
    '  renderStatus:',
    '    mutationSteps:',
    ...['    - name: a1', '      exec: up', '      exitCode: 0'],
    ...['    - exec: up', '      exitCode: 0'],
    ...['    - name: r2', '      image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v1', '      exitCode: 0'],
    '    validationSteps:',
    ...['    - name: av', '      exec: see', '      exitCode: 0'],
    ...['    - name: rv', '      exec: see', '      exitCode: 0'],
  ])
})

test('the image of an entry has the prefix of the run', () => {
  const files = { Kptfile: kptfileWith('pipeline: {validators: [{image: see, tag: v2}]}') }
  expect(statusAfter(files, {}, { imagePrefix: 'my.io/fn', programs: new Map([['see', ['see']]]) })).toEqual([
    ...RENDERED,
    ...['  renderStatus:', '    validationSteps:', '    - image: my.io/fn/see:v2', '      exitCode: 0'],
  ])
})

test('a run without functions, or with functions that are all skipped, writes the condition alone', () => {
  expect(statusAfter({ Kptfile: kptfileWith() })).toEqual(RENDERED)
  expect(statusAfter({ Kptfile: kptfileWith('pipeline: {mutators: [{exec: up, when: "false"}]}') })).toEqual(RENDERED)
})

test('a skipped function has no entry beside one that ran', () => {
  const files = { Kptfile: kptfileWith('pipeline: {mutators: [{name: no, exec: up, when: "false"}, {name: yes, exec: up}]}') }
  expect(statusAfter(files)).toEqual([
    ...RENDERED,
    ...['  renderStatus:', '    mutationSteps:', '    - name: "yes"', '      exec: up', '      exitCode: 0'],
  ])
})

test('the condition comes after those of others in place of the former one, and nothing stays of the former renderStatus', () => {
  const status = [
    'status:',
    '  phase: mine',
    '  renderStatus:',
    '    errorSummary: gone',
    '    mutationSteps: [{exec: gone, exitCode: 1}]',
    '  conditions:',
    '  - {type: Rendered, status: "False", reason: RenderFailed, message: gone}',
    '  - {type: Ready, status: "True"}',
  ]
  const after = kptfileAfter({ Kptfile: kptfileWith('pipeline: {mutators: [{exec: up}]}', '# kept', ...status) })
  expect(after).toContain('# kept\nstatus:\n  phase: mine\n')
  expect(after).toMatch(/type: Ready[\s\S]*type: Rendered, status: "True", reason: RenderSuccess|type: Ready[\s\S]*type: Rendered\n/)
  expect(after).toContain('mutationSteps:')
  expect(after).not.toContain('gone')
  expect(after?.match(/type: Rendered/g)).toHaveLength(1)
})

test('a Kptfile with the status of the same run keeps every byte, and its other documents stay', () => {
  const files = { Kptfile: `${kptfileWith('pipeline: {mutators: [{exec: up}]} # mine')}---\n${configMapWith('second')}` }
  const text = kptfileAfter(files) ?? ''
  expect(text).toMatch(/ # mine\nstatus:\n[\s\S]*exitCode: 0\n---\n/)
  expect(text).toContain(configMapWith('second'))
  expect(kptfileAfter({ Kptfile: text })).toBeUndefined()
})

test('the status is written beside what functions change in the Kptfile, and the changes are in the order of their paths', () => {
  const files = {
    Kptfile: kptfileWith('pipeline: {mutators: [{exec: up}]}'),
    'A.yaml': configMapWith('a', 'data: {level: low}'),
    'z.yaml': configMapWith('z', 'data: {level: low}'),
  }
  const up: TestProgram = (input) => ({ stdout: input.replaceAll('level: low', 'level: high').replaceAll('name: pkg', 'name: new') })
  const { changes } = runOfTexts(files, { up }, { status: true })
  expect(changes.map(({ op, path }) => `${op} ${path}`)).toEqual(['update A.yaml', 'update Kptfile', 'update z.yaml'])
  expect(changes[1]).toMatchObject({ before: files.Kptfile, text: expect.stringMatching(/name: new\n[\s\S]*type: Rendered/) })
})

test.each([
  ['a function deletes', {}, 'pipeline: {mutators: [{exec: gone}]}', ['delete Kptfile']],
  ['.krmignore hides', { '.krmignore': 'Kptfile\n' }, 'pipeline: {mutators: [{exec: up}]}', []],
])('a Kptfile that %s gets no status', (_, ignored, pipeline, changes) => {
  const files = { ...ignored, Kptfile: kptfileWith(pipeline), 'a.yaml': configMapWith('a') }
  const gone: TestProgram = (input) => ({ stdout: input.replace(/^- apiVersion: kpt.dev[\s\S]*?(?=^- )/m, '') })
  const ran = runOfTexts(files, { gone }, { status: true })
  expect({ failed: ran.failed, changes: ran.changes.map(({ op, path }) => `${op} ${path}`) }).toEqual({ failed: false, changes })
})

test('a function that ends with an exit code has its stderr and results, and the summary names it alone', () => {
  const reported = '- {message: bad, severity: error}\n- {message: odd, severity: warning}\n'
  const files = { Kptfile: kptfileWith('pipeline: {mutators: [{name: ok, exec: up}, {exec: bad}]}') }
  const bad: TestProgram = (input) => ({ ...prints(reported)(input), ...fails(input) })
  expect(statusAfter(files, { bad })).toEqual([
    ...FAILED,
    ...['      pkg.render: pkg pkg:', '      \tpipeline.run: already handled error'],
    ...['  renderStatus:', '    mutationSteps:', '    - name: ok', '      exec: up', '      exitCode: 0'],
    ...['    - exec: bad', '      stderr: |', '        boom', '      exitCode: 3', '      results:'],
    ...['      - message: bad', '        severity: error', '      - message: odd', '        severity: warning'],
    ...['      errorResults:', '      - message: bad', '        severity: error', "    errorSummary: 'bad: exit code 3'"],
  ])
})

test('a function that cannot be started has the reason in place of stderr, also in the condition and the summary', () => {
  const files = { Kptfile: kptfileWith('pipeline: {mutators: [{exec: lost}]}') }
  expect(statusAfter(files, { lost: () => ({ stderr: 'no such program', exitCode: undefined }) })).toEqual([
    ...FAILED,
    ...['      pkg.render: pkg pkg:', '      \tpipeline.run: no such program'],
    ...['  renderStatus:', '    mutationSteps:', '    - exec: lost', '      executionError: no such program', '      exitCode: 1'],
    "    errorSummary: 'lost: no such program'",
  ])
})

test('a function that ends well and prints what cannot be used has the reason as its error, and the exit code 1', () => {
  const files = { Kptfile: kptfileWith('pipeline: {mutators: [{exec: mute}]}') }
  const status = statusAfter(files, { mute: () => ({ stdout: '', stderr: 'done' }) })
  expect(status).toContain('      \tpipeline.run: printed nothing: a function that changes nothing must print the list that it got')
  expect(status.slice(status.indexOf('    mutationSteps:'))).toEqual([
    ...['    mutationSteps:', '    - exec: mute', '      stderr: done'],
    "      executionError: 'printed nothing: a function that changes nothing must print the list that it got'",
    '      exitCode: 1',
    "    errorSummary: 'mute: printed nothing: a function that changes nothing must print the list that it got'",
  ])
})

test.each([
  ['the functionConfig of', 'configRef: {kind: ConfigMap, name: lost}', 'must name one resource of the package'],
  ['the condition of', 'when: "resources[7].kind == \'A\'"', 'must have a value'],
])('%s a function that cannot be used is the error of that function, after the functions that ran', (_, field, reason) => {
  const files = {
    Kptfile: kptfileWith(`pipeline: {mutators: [{exec: up}, {name: odd, exec: up, ${field}}]}`),
    'a.yaml': configMapWith('a'),
  }
  const text = kptfileAfter(files) ?? ''
  expect(text.match(/exitCode: \d/g)).toEqual(['exitCode: 0', 'exitCode: 1'])
  expect(text.slice(text.indexOf('executionError'))).toContain(reason)
  expect(text.slice(text.indexOf('errorSummary'))).toMatch(/^errorSummary: (?:'|\|-\n\s*)odd: /)
  expect(text.slice(text.indexOf('pipeline.run'), text.indexOf('renderStatus'))).toContain(reason)
})

test.each([
  // [annotation, the failing package, the lines of the message]
  ['', '', ['pkg.render: pkg pkg:', '\tpipeline.run: already handled error']],
  ['', 'b', ['pkg.render: pkg pkg/b:', '\tpipeline.run: already handled error']],
  ['', 'a/b', ['pkg.render: pkg pkg/a:', '\tpkg pkg/a/b:', '\tpipeline.run: already handled error']],
  ['', 'plain/c', ['pkg.render: pkg pkg/plain/c:', '\tpipeline.run: already handled error']],
  ['kpt.dev/bfs-rendering', '', ['pkg.render: pkg pkg:', '\tpipeline.run: already handled error']],
  ['kpt.dev/bfs-rendering', 'a/b', ['pkg.render: pkg pkg:', '\tpipeline.run: pkg pkg/a/b: already handled error']],
])('with the annotation %j a failure in the package %j is said with the packages around it', (annotation, failing, lines) => {
  const pipelineOf = (folder: string) => (folder === failing ? 'pipeline: {validators: [{exec: bad}]}' : 'pipeline: {}')
  const root = annotation === '' ? [] : [`  annotations: {${annotation}: "true"}`]
  // `a-b` and `a/bc` begin like `a` and `a/b`, and are not around them.
  const folders = ['a', 'a-b', 'a/b', 'a/bc', 'b', 'plain/c']
  const files = Object.fromEntries(folders.map((folder) => [`${folder}/Kptfile`, kptfileWith(pipelineOf(folder))]))
  expect(messageIn(statusAfter({ Kptfile: kptfileWith(...root, pipelineOf('')), ...files }, { bad: fails }))).toEqual(lines)
})

test('a result has the fields that kpt knows in its order, without empty ones and without the index of a first document', () => {
  const files = { Kptfile: kptfileWith('pipeline: {mutators: [{exec: up}]}') }
  const reported = [
    '- tags: {t: "1"}\n  file: {path: a.yaml, index: 0}\n  field: {path: data.k}\n  resourceRef: {kind: ConfigMap, name: a}\n  severity: warning\n  message: m1\n  mine: x\n',
    '- {message: m2, file: {path: b.yaml, index: 1}, resourceRef: {}, tags: {}}\n',
  ]
  const status = statusAfter(files, { up: prints(reported.join('')) })
  expect(status.slice(status.indexOf('      results:'))).toEqual([
    ...['      results:', '      - message: m1', '        severity: warning', '        resourceRef:', '          kind: ConfigMap'],
    ...['          name: a', '        field:', '          path: data.k', '        file:', '          path: a.yaml', '        tags:'],
    ...['          t: "1"', '      - message: m2', '        file:', '          path: b.yaml', '          index: 1'],
  ])
})
