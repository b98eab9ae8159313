import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

let root = ''
/** The tree, and the tree with the fleet that `convert` made of it: most tests begin with the latter. */
const begun = { tree: '', fleet: '' }

beforeAll(async () => {
  root = begun.tree = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-tree-'))
  write('kustomize', '#!/bin/sh\nexec cat "$2/built"\n', 0o755)
  write('tree/base/kustomization.yaml', 'resources: []\n')
  write('tree/base/built', config({ level: 'info', zone: 'none', name: 'none' }))
  for (const env of ['prod', 'staging']) for (const region of REGIONS) overlay(env, region)
  begun.fleet = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-fleet-'))
  beginWith(begun.tree, begun.fleet)
  expect((await convert()).exitCode).toBe(0)
})

afterAll(() => Object.values(begun).forEach((folder) => void rmSync(folder, { recursive: true })))

beforeEach(() => beginWith(begun.tree))

function beginWith(folder: string, copy = testFolder()): void {
  root = copy
  cpSync(folder, root, { recursive: true })
}

const beginWithFleet = () => beginWith(begun.fleet)

const REGIONS = ['eu-west-1', 'us-east-1']
const LEVELS: Readonly<Record<string, string>> = { prod: 'warn', staging: 'debug' }

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
}

function config(data: Readonly<Record<string, string>>, metadata: Readonly<Record<string, string>> = {}): string {
  const lines = (record: Readonly<Record<string, string>>) =>
    Object.entries(record)
      .map(([key, value]) => `  ${key}: ${value}\n`)
      .join('')
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n${lines({ name: 'web', ...metadata })}data:\n${lines(data)}`
}

/** Writes an overlay whose level is of its env, its zone of its region, and its name its own. */
function overlay(env: string, region: string, data: Readonly<Record<string, string>> = {}): void {
  const own = { level: LEVELS[env] ?? env, zone: `zone-${region}`, name: `${env}-${region}`, ...data }
  write(`tree/overlays/${env}-${region}/kustomization.yaml`, 'resources: [../../base]\n')
  write(`tree/overlays/${env}-${region}/built`, config(own, { namespace: `shop-${env}` }))
}

const convert = () =>
  recordRun(root, ['convert', 'kustomize', 'tree', '--out', 'fleet', '--kustomize-binary', join(root, 'kustomize'), '--allow-exec'])
const text = (path: string) => readFileSync(join(root, 'fleet', path), 'utf8')
const matrix = () => text('fleet/tree.yaml')
const LOOKUP = /valueExpr: .*'level'/
const rendered = (cluster: string) => text(`clusters/${cluster}/tree/configmap-web.yaml`)

async function expectNothingToDo(): Promise<void> {
  const before = ['fleet/tree.yaml', 'fleet/values.yaml'].map(text)
  expect(await convert()).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
  expect(['fleet/tree.yaml', 'fleet/values.yaml'].map(text)).toEqual(before)
}

test('a value that the env or the region decides is a table by this label, and one that neither decides stays with its cluster', async () => {
  const regions = [...REGIONS, 'ap-south-1'].toSorted()
  for (const env of ['prod', 'staging']) overlay(env, 'ap-south-1')
  const { exitCode, stdout } = await convert()
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('edit:') })
  expect(matrix()).toContain(`              # by env: prod: warn, staging: debug
              valueExpr: '{"prod": "warn", "staging": "debug"}[repository.labels["env"]]'
`)
  expect(matrix()).toContain('# by region: ap-south-1: zone-ap-south-1, eu-west-1: zone-eu-west-1, us-east-1: zone-us-east-1\n')
  expect(matrix()).toContain('# by env: prod: shop-prod, staging: shop-staging\n')
  expect(matrix()).toContain("valueExpr: inputs.values.spec['tree']['name']")
  expect(
    text('fleet/values.yaml')
      .match(/^ {4}.*$/gm)
      ?.filter((line) => !/env:|region:|cluster:|annot|local/.test(line)),
  ).toEqual(['prod', 'staging'].flatMap((env) => regions.map((region) => `    name: ${env}-${region}`)))
  expect(await recordRun(root, ['check', 'fleet'])).toMatchObject({ exitCode: 0 })
  await expectNothingToDo()
})

test('a change that keeps the rule changes the table, and one that the fleet made there stays', async () => {
  beginWithFleet()
  write('fleet/fleet/tree.yaml', matrix().replace('"staging": "debug"', '"staging": "trace"'))
  for (const region of REGIONS) overlay('prod', region, { level: 'error' })
  const { exitCode, stdout } = await convert()
  expect(exitCode).toBe(0)
  expect(stdout).toContain('  kept: ConfigMap shop-staging/web data.level: trace in the fleet, debug in the tree\n')
  expect(stdout).toContain('  tree: level warn → error\n')
  expect(matrix()).toContain('# by env: prod: error, staging: trace\n')
  expect(matrix()).not.toContain('# by env: prod: warn')
  expect(rendered('prod-eu-west-1')).toContain('level: error')
  expect(rendered('staging-eu-west-1')).toContain('level: trace')
  expect(text('fleet/values.yaml')).not.toContain('level:')
})

test('a change that breaks the rule gives each cluster its value again, and says so', async () => {
  beginWithFleet()
  overlay('prod', 'eu-west-1', { level: 'error' })
  const { exitCode, stderr } = await convert()
  expect(exitCode).toBe(0)
  expect(stderr).toContain(
    "fleet/tree.yaml: the label 'env' no longer decides the value 'level', so each cluster has its own in fleet/values.yaml\n",
  )
  expect(matrix()).toMatch(LOOKUP)
  expect(matrix()).not.toContain('prod: warn')
  expect(
    text('fleet/values.yaml')
      .match(/level: .*/g)
      ?.toSorted(),
  ).toEqual(['debug', 'debug', 'error', 'warn'].map((level) => `level: ${level}`))
  expect(rendered('prod-eu-west-1')).toContain('level: error')
  await expectNothingToDo()
})

test('a new overlay with another env is a new entry of the table, and one without an env gives each cluster its value again', async () => {
  beginWithFleet()
  overlay('qa', 'eu-west-1')
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).toContain('# by env: prod: warn, staging: debug, qa: qa\n')
  expect(rendered('qa-eu-west-1')).toContain('level: qa')
  await expectNothingToDo()
  overlay('lab', 'eu-west-1')
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).toMatch(LOOKUP)
  expect(matrix()).toContain('# by region: ')
  expect(rendered('lab-eu-west-1')).toContain('level: lab')
  await expectNothingToDo()
})

test('a new overlay without the value, and one that loses it, get what the tree has', async () => {
  beginWithFleet()
  write('tree/overlays/qa-eu-west-1/kustomization.yaml', 'resources: [../../base]\n')
  write('tree/overlays/qa-eu-west-1/built', config({ level: 'info', zone: 'none', name: 'none' }))
  expect((await convert()).exitCode).toBe(0)
  expect(rendered('qa-eu-west-1')).not.toContain('namespace:')
  await expectNothingToDo()
  write('tree/overlays/prod-eu-west-1/built', config({ level: 'info', zone: 'none', name: 'none' }))
  expect((await convert()).exitCode).toBe(0)
  expect(rendered('prod-eu-west-1')).not.toContain('namespace:')
  await expectNothingToDo()
})

test('a function that only some clusters have has no table', async () => {
  write('tree/overlays/prod-eu-west-1/built', config({ level: 'info', zone: 'none', name: 'none' }))
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).not.toContain('# by ')
})

test('a table in an override, whose condition all clusters meet, holds for all of them, and has its condition again when the rule breaks', async () => {
  const built = (region: string, image: string) =>
    `${config({ level: 'info', zone: 'none', name: region }, region === 'eu-west-1' ? {} : { namespace: 'shop' })}---\napiVersion: v1\nkind: Pod\nmetadata: ${JSON.stringify({ name: 'web', ...(region === 'eu-west-1' ? {} : { namespace: 'shop' }) })}\nspec: {containers: [{name: web, image: "web:${image}"}]}\n`
  write(
    'tree/base/built',
    `${config({ level: 'info', zone: 'none', name: 'none' })}---\napiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: "web:0"}]}\n`,
  )
  for (const env of ['prod', 'staging'])
    for (const region of REGIONS) write(`tree/overlays/${env}-${region}/built`, built(region, env === 'prod' ? '1' : '2'))
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).toMatch(/where: .*namespace[\s\S]*- name: set-image\n {6}packages:[\s\S]*# by env: prod: 1, staging: 2\n/)
  await expectNothingToDo()
  write('tree/overlays/prod-us-east-1/built', built('us-east-1', '3'))
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).not.toContain('# by env')
  expect(matrix()).toMatch(/where: .*'image-web-newTag'/)
  await expectNothingToDo()
})

test('an expression that people wrote stays, and a change of the tree that it takes back is refused', async () => {
  beginWithFleet()
  const own = matrix().replace(/valueExpr: .*"debug".*/, `valueExpr: 'repository.labels["env"] == "prod" ? "warn" : "debug"'`)
  write('fleet/fleet/tree.yaml', own)
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).toBe(own)
  for (const region of REGIONS) overlay('prod', region, { level: 'error' })
  expect(await convert()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('not every cluster is equal, so nothing was written'),
  })
  expect(matrix()).toBe(own)
})

test('the table keeps the entries and the comments of people, and a cluster whose overlay is gone keeps its value', async () => {
  beginWithFleet()
  const own = matrix()
    .replace('"staging": "debug"}', '"staging": "debug", "qa": "info"}')
    .replace('# by env: prod: warn', '# quiet\n              # by env: prod: warn')
  write('fleet/fleet/tree.yaml', own)
  rmSync(join(root, 'tree/overlays/staging-eu-west-1'), { recursive: true })
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).toBe(own)
  for (const region of REGIONS) overlay('prod', region, { level: 'error' })
  expect((await convert()).exitCode).toBe(0)
  expect(matrix()).toContain('# quiet\n              # by env: prod: error, staging: debug, qa: info\n')
  expect(rendered('staging-eu-west-1')).toContain('level: debug')
})
