import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { configMapText } from '../../../testdata/written-objects.ts'
import { answered } from '../../pipeline/calls.ts'
import { builtinVersion } from '../../pipeline/match.ts'
import { packageToRunOf, pipelineKptfile } from '../testing/functions-of.ts'
import { CATALOG_BUILTINS } from './catalog-builtins.ts'
import { ownBuiltin, packageFunctions, packageRunners, type RunnerSettings } from './package-runners.ts'

/** Returns settings whose programs begin in a folder of the test, with a runtime of containers there. */
function settingsIn(more: Partial<RunnerSettings> = {}): RunnerSettings {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'package-runners-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'bin'))
  const inspect = `if [ "$1" = image ] && [ "$3" != test.io/none:v1 ]; then echo '[{"Id": "sha256:${'a'.repeat(64)}"}]'; exit; fi`
  const docker = `#!/bin/sh\n${inspect}\n[ "$1" = run ] || exit 1\necho container >> '${folder}/calls'\ncat\n`
  writeFileSync(join(folder, 'bin/docker'), docker, { mode: 0o755 })
  writeFileSync(join(folder, 'bin/note'), `#!/bin/sh\necho "program $1" >> '${folder}/calls'\ncat\n`, { mode: 0o755 })
  return {
    folder,
    environment: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, WHO: 'me' },
    seconds: 30,
    programs: new Map(),
    allowExec: true,
    imagePrefix: undefined,
    anyVersion: false,
    containers: undefined,
    own: [],
    ...more,
  }
}

const callsIn = ({ folder }: RunnerSettings) => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
const CONTAINERS = { network: new Set<string>(), keepsAnswers: false }

test('a function of this project runs at every tag of its image in the repository of the project, and nowhere else', () => {
  const own = ownBuiltin('mark', (list) => void list.items.find(({ name }) => name === 'a')?.set(['data'], { mark: 'x' }))
  const runners = packageRunners(settingsIn({ own: [own] }))
  const found = (image: string) => builtinVersion({ image, tag: '' }, runners)?.builtin.name
  expect(['mark:v1', 'mark', 'mark:v9', 'other'].map((name) => found(`ghcr.io/krm-variants/${name}`))).toEqual([
    'mark',
    'mark',
    'mark',
    undefined,
  ])
  expect(found('ghcr.io/kptdev/krm-functions-catalog/mark')).toBeUndefined()
  const { exitCode, stdout } = own.run('')(
    'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {kind: A, metadata: {name: a}}\n',
  )
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('mark: x')])
})

test('the built-in functions are those of this project before those of the catalog', () => {
  const own = ownBuiltin('mark', () => {})
  expect(packageRunners(settingsIn({ own: [own] })).builtins).toEqual([own, ...CATALOG_BUILTINS])
})

test('a program begins in the folder of the caller with the environment of the caller', () => {
  const settings = settingsIn()
  expect(packageRunners(settings).program(['sh', '-c', 'pwd; echo $WHO; cat'])('in')).toEqual({
    stdout: `${settings.folder}\nme\nin`,
    stderr: '',
    exitCode: 0,
  })
})

test('what the caller allows is passed on, and containers are there only if the caller allows them', () => {
  const waysOut = { containers: 'c', program: () => 'p' }
  const settings = settingsIn({ programs: new Map([['i', ['p']]]), allowExec: false, imagePrefix: 'test.io', anyVersion: true, waysOut })
  const runners = packageRunners(settings)
  expect(runners).toMatchObject({ programs: settings.programs, allowExec: false, imagePrefix: 'test.io', anyVersion: true, waysOut })
  expect(runners).not.toHaveProperty('container')
  expect(packageRunners({ ...settings, containers: CONTAINERS }).container).toBeDefined()
})

const packages = (mutator: string, ...names: readonly string[]) =>
  names.map((name) => packageToRunOf({ Kptfile: pipelineKptfile(mutator), 'a.yaml': configMapText(name) }))

test('each program and each container is called once for each list of packages', () => {
  const settings = settingsIn({ containers: CONTAINERS })
  const functions = packageFunctions(settings, {})
  const mutators = ['exec: note a', 'exec: note b', 'image: test.io/c:v1']
  for (const mutator of mutators)
    for (const pkg of packages(mutator, 'a', 'a', 'b')) expect(answered(functions.run(pkg))).toMatchObject({ outcome: 'done', results: [] })
  expect(callsIn(settings)).toEqual(['program a', 'program a', 'program b', 'program b', 'container', 'container'])
})

test('an image that no container can run has no runner, and the error says why', () => {
  const functions = packageFunctions(settingsIn({ containers: CONTAINERS }), {})
  const [pkg] = packages('image: test.io/none:v1', 'a')
  expect(pkg && answered(functions.run(pkg)).outcome).toBe('unmatched')
  expect(functions.unmatched.map(({ message }) => message)).toEqual([
    expect.stringContaining('no container can run it: docker has no such image and cannot pull it'),
  ])
})

test('the settings of functions are those of the caller', () => {
  const [pkg] = packages('image: test.io/none:v1', 'a')
  expect(pkg && answered(packageFunctions(settingsIn(), { withoutRunner: 'leave' }).run(pkg)).outcome).toBe('done')
})
