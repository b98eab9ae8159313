import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, formatResult, type Result } from '../result.ts'
import { type BuiltinFunction, builtinVersion, findRunners, matchRunners, type Runner, type Runners, unusedPrograms } from './match.ts'
import { functionsIn, type PipelineStep } from './pipeline-steps.ts'

const DIGEST = `sha256:${'a'.repeat(64)}`
const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'

/** Returns the functions of a Kptfile with mutators. */
function stepsOf(mutators: string, path = 'Kptfile'): readonly PipelineStep[] {
  const text = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\npipeline:\n  mutators: ${mutators}\n`
  return functionsIn(KrmObject.fromDocument(text, { path, index: 0, line: 1 }))
}

/** Returns a runner that answers with a name. */
function named(name: string): Runner {
  return () => ({ stdout: name, stderr: '', exitCode: 0 })
}

const LABELS: BuiltinFunction = {
  name: 'set-labels',
  versions: ['v0.2.1', 'v0.2.0', 'v0.1.5'],
  repositories: [CATALOG, 'gcr.io/kpt-fn'],
  run: (version) => named(`set-labels ${version}`),
}
const OURS: BuiltinFunction = { name: 'fan', versions: [], repositories: ['ghcr.io/krm'], run: (version) => named(`fan '${version}'`) }

function runnersOf(given: Partial<Runners> = {}): Runners {
  return {
    builtins: [LABELS, OURS],
    programs: new Map(),
    allowExec: false,
    imagePrefix: undefined,
    program: (words) => named(`program ${words.join('|')}`),
    ...given,
  }
}

/** Returns what each function runs: the name of its runner, else the rule and the message. */
function found(mutators: string, given: Partial<Runners> = {}): readonly string[] {
  const { matched, unmatched } = findRunners(stepsOf(mutators), runnersOf(given))
  return [...Array.from(matched.values(), (runner) => runner('').stdout), ...unmatched.map(({ rule, message }) => `${rule}: ${message}`)]
}

const container: Runners['container'] = (image, written) => named(`container ${image.repository}:${image.tag} ${written}`)
const programs = (...images: readonly string[]) => new Map(images.map((image) => [image, ['run', image]]))

test.each([
  ['{image: "set-labels:v0.2.0"}', {}, 'set-labels v0.2.0'],
  ['{image: set-labels}', {}, 'set-labels v0.2.1'],
  ['{image: "set-labels:v0.2.0", tag: v0.1}', {}, 'set-labels v0.1.5'],
  ['{image: "gcr.io/kpt-fn/set-labels:v0.2"}', {}, 'set-labels v0.2.1'],
  ['{image: "my.io/fn/set-labels:v0.2"}', { imagePrefix: 'my.io/fn/' }, 'set-labels v0.2.1'],
  ['{image: "gcr.io/kpt-fn/set-labels:v0.2"}', { imagePrefix: 'my.io/fn' }, 'set-labels v0.2.1'],
  ['{image: "set-labels:v0.1"}', { imagePrefix: 'my.io/fn' }, 'set-labels v0.1.5'],
  ['{image: "ghcr.io/krm/fan:any"}', {}, "fan ''"],
  ['{image: "set-labels:v0.2.0"}', { container }, 'set-labels v0.2.0'],
  ['{image: "set-labels:v9"}', { container }, `container ${CATALOG}/set-labels:v9 set-labels:v9`],
  ['{image: "a/b:v1"}', { container, otherwise: named('other') }, 'container a/b:v1 a/b:v1'],
  ['{image: "a/b:v1"}', { otherwise: named('other') }, 'other'],
  ['{exec: "sed -e x"}', { otherwise: named('other') }, 'other'],
  ['{exec: "sed -e \'a b\'"}', { allowExec: true, otherwise: named('other') }, 'program sed|-e|a b'],
])('%s is run by the first that can', (mutator, given, runner) => {
  expect(found(`[${mutator}]`, given)).toEqual([runner])
})

test.each([
  ['as it is written', 'set-labels:v0.2'],
  ['as kpt resolves it', `${CATALOG}/set-labels:v0.2`],
  ['by its repository', `${CATALOG}/set-labels`],
  ['by its name', 'set-labels'],
])('the program of an image that is named %s runs in place of what is built in', (_, image) => {
  expect(found('[{image: "set-labels:v0.2"}]', { programs: programs(image), container })).toEqual([`program run|${image}`])
})

test('of two programs for an image the one with the more exact name runs', () => {
  const names = ['set-labels', `${CATALOG}/set-labels`, `${CATALOG}/set-labels:v0.2`, 'set-labels:v0.2']
  for (let most = names.length; most > 0; most--)
    expect(found('[{image: "set-labels:v0.2"}]', { programs: programs(...names.slice(0, most)) })).toEqual([
      `program run|${names[most - 1]}`,
    ])
  expect(found(`[{image: "r.io:5000/fan@${DIGEST}"}]`, { programs: programs('r.io:5000/fan') })).toEqual(['program run|r.io:5000/fan'])
})

const ASK = (image: string) => `allow containers with --allow-containers, or give a program with --function ${image}=PROGRAM --allow-exec`

test.each([
  ['{exec: sed}', {}, "exec-not-allowed: exec 'sed' must be allowed with --allow-exec: it is a program of this machine"],
  ['{exec: "sed \'x"}', { allowExec: true }, "exec-unreadable: exec 'sed 'x' must be a program and its arguments, with every quote closed"],
  ['{exec: " "}', { allowExec: true }, "exec-unreadable: exec ' ' must be a program and its arguments, with every quote closed"],
  [
    '{image: "a.io/other:v1"}',
    {},
    `no-runner: image 'a.io/other:v1' must have something that runs it: it is not built in; ${ASK('a.io/other:v1')}`,
  ],
  [
    '{image: "gcr.io/kpt-fn-set-labels:v0.2"}',
    {},
    `no-runner: image 'gcr.io/kpt-fn-set-labels:v0.2' must have something that runs it: it is not built in; ${ASK('gcr.io/kpt-fn-set-labels:v0.2')}`,
  ],
  [
    '{image: "gcr.io/kpt-fn/set-label:v1"}',
    {},
    `no-runner: image 'gcr.io/kpt-fn/set-label:v1' must have something that runs it: it is not built in ('gcr.io/kpt-fn/set-labels' is); ${ASK('gcr.io/kpt-fn/set-label:v1')}`,
  ],
  [
    '{image: "a.io/set-label:v1"}',
    {},
    `no-runner: image 'a.io/set-label:v1' must have something that runs it: it is not built in ('${CATALOG}/set-labels' is); ${ASK('a.io/set-label:v1')}`,
  ],
  [
    '{image: "set-labels:v9"}',
    {},
    `no-runner: image '${CATALOG}/set-labels:v9' must have something that runs it: it is not built in at this version, built in are v0.2.1, v0.2.0, v0.1.5; allow containers with --allow-containers, give a program with --function ${CATALOG}/set-labels:v9=PROGRAM --allow-exec, or use a version that is built in`,
  ],
  [
    `{image: "gcr.io/kpt-fn/set-labels@${DIGEST}"}`,
    { container: () => 'no docker' },
    `no-runner: image 'gcr.io/kpt-fn/set-labels@${DIGEST}' must have something that runs it: it is built in by its tags, not by a digest, and no container can run it: no docker; give a program with --function gcr.io/kpt-fn/set-labels@${DIGEST}=PROGRAM --allow-exec, or use a version that is built in`,
  ],
  [
    '{image: "a.io/other:v1"}',
    { container: () => 'no docker' },
    "no-runner: image 'a.io/other:v1' must have something that runs it: it is not built in, and no container can run it: no docker; give a program with --function a.io/other:v1=PROGRAM --allow-exec",
  ],
  [
    '{image: "a.io/other:v1"}',
    { waysOut: { containers: '--c', program: (image: string) => `--p ${image}`, last: 'leave it' } },
    "no-runner: image 'a.io/other:v1' must have something that runs it: it is not built in; allow containers with --c, give a program with --p a.io/other:v1, or leave it",
  ],
])('%s without a runner is refused with the ways out', (mutator, given: Partial<Runners>, message) => {
  expect(found(`[${mutator}]`, given)).toEqual([message])
})

test('with anyVersion the nearest older version runs, and a digest is run by the newest', () => {
  const steps = stepsOf(`[{image: "set-labels:v0.2.7"}, {image: "gcr.io/kpt-fn/set-labels@${DIGEST}"}, {image: "set-labels:v0.2"}]`)
  const { matched, warnings } = matchRunners(steps, runnersOf({ anyVersion: true }))
  expect(Array.from(matched.values(), (runner) => runner('').stdout)).toEqual(Array(3).fill('set-labels v0.2.1'))
  expect(Array.from(warnings, ([step, { severity, message, tags }]) => [steps.indexOf(step), severity, message, tags.rule])).toEqual([
    [
      0,
      'warning',
      `\`pipeline.mutators[0].image\` image '${CATALOG}/set-labels:v0.2.7' is not built in at this version: v0.2.1, the nearest older one, runs in its place`,
      'other-version',
    ],
    [
      1,
      'warning',
      `\`pipeline.mutators[1].image\` image 'gcr.io/kpt-fn/set-labels@${DIGEST}' is not built in at this version: v0.2.1, the newest, runs in its place`,
      'other-version',
    ],
  ])
  expect(found('[{image: "set-labels:v0.0.1"}]', { anyVersion: true })).toEqual([expect.stringMatching(/^no-runner: /)])
  expect(found('[{image: "set-labels:v0.2.7"}]', { anyVersion: false })).toEqual([expect.stringMatching(/^no-runner: /)])
})

function refusalsOf(steps: readonly PipelineStep[]): readonly Result[] {
  try {
    matchRunners(steps, runnersOf())
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
  return []
}

test('one error is given for each image or program without a runner, at its first function, with the number of packages', () => {
  const twice = '[{image: "a.io/x:v1"}, {image: "a.io/x:v1"}, {exec: sed}]'
  const messages = [...refusalsOf([...stepsOf(twice), ...stepsOf(twice, 'b/Kptfile')])].map(formatResult)
  expect(messages).toEqual([
    expect.stringMatching(
      /^Kptfile:6:22: error: `pipeline\.mutators\[0\]\.image` image 'a\.io\/x:v1' .* \(2 packages need it\) \[no-runner\]$/,
    ),
    expect.stringMatching(
      /^Kptfile:6:65: error: `pipeline\.mutators\[2\]\.exec` exec 'sed' .* \(2 packages need it\) \[exec-not-allowed\]$/,
    ),
  ])
  expect(refusalsOf(stepsOf(twice)).map(({ message }) => message.includes('packages need it'))).toEqual([false, false])
  expect(refusalsOf(stepsOf('[{image: set-labels}, {exec: sed}]'))).toHaveLength(1)
  expect(refusalsOf(stepsOf('[{image: set-labels}]'))).toEqual([])
})

test.each([
  ['{image: "set-labels:v0.2"}', 'set-labels v0.2.1'],
  ['{image: "ghcr.io/krm/fan"}', 'fan '],
  ['{image: "set-labels:v9"}', undefined],
  ['{image: "a.io/set-labels:v0.2"}', undefined],
  ['{image: "a.io/other:v0.2"}', undefined],
])('the built-in function and version of %s is %s', (mutator, expected) => {
  const step = stepsOf(`[${mutator}]`)[0] ?? expect.fail('there is a function')
  const version = builtinVersion(step, runnersOf())
  expect(version && `${version.builtin.name} ${version.version}`).toBe(expected)
})

test.each([
  // [functions, the image that the user named, the end of the message]
  ['[{exec: sed}]', 'a/b', "'a/b' is that of none; no function names an image"],
  ['[{image: "x.io/set-labels:v1"}]', 'x.io/set-lables', "'x.io/set-lables' is that of none; did you mean 'x.io/set-labels'?"],
  ['[{image: "gcr.io/k/set-labels:v1"}]', 'set-labels', "'set-labels' is that of none; did you mean 'gcr.io/k/set-labels:v1'?"],
  ['[{image: "gcr.io/k/set-labels:v1"}]', 'set-lables:v2', "'set-lables:v2' is that of none; did you mean 'gcr.io/k/set-labels:v1'?"],
  ['[{image: "a/b:v1"}, {image: "a/b:v1"}, {image: "c/d"}]', 'zz/yyyyyy', "'zz/yyyyyy' is that of none; the images are 'a/b:v1', 'c/d'"],
])('for the functions %s the unused program of %s is a warning', (mutators, name, end) => {
  const results = unusedPrograms(stepsOf(mutators), runnersOf({ programs: programs(name) }))
  expect(results).toEqual([
    { severity: 'warning', message: `\`--function\` must name the image of a function, ${end}`, tags: { rule: 'program-unused' } },
  ])
})

test('a program for the image of any function is used, however the image is named', () => {
  const names = ['set-labels:v0.2', 'set-labels', `${CATALOG}/set-labels`, `${CATALOG}/set-labels:v0.2`]
  expect(unusedPrograms(stepsOf('[{exec: sed}, {image: "set-labels:v0.2"}]'), runnersOf({ programs: programs(...names) }))).toEqual([])
})
