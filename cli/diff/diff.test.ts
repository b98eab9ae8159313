import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ChangeGroup, DiffReport } from '../../src/diff/report.ts'
import { applyReport, type ClusterObjects, identityOf } from '../../testdata/diff/apply-report.ts'
import { commitChanges, EIGHT_CHANGES, type FleetCommit, makeFleet } from '../../testdata/diff/fleet-repository.ts'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { stylesFor } from '../print/styles.ts'
import { dangersGithub, dangersSarif } from './danger-findings.ts'
import { diffPage } from './diff-page.ts'
import { diffText } from './diff-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-diff-'))
const golden = (name: string) => fileURLToPath(new URL(`../../testdata/diff/${name}`, import.meta.url))
const recorded = (file: string) => readFileSync(golden(file), 'utf8')
let made: Awaited<ReturnType<typeof makeFleet>>

beforeAll(async () => {
  made = await makeFleet(folder)
})

beforeAll(() => {
  const orphan = made.fleet.git('commit-tree', 'start^{tree}', '-m', 'another beginning')
  made.fleet.git('tag', 'other', orphan)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe.each(EIGHT_CHANGES)('a commit with the change $tag', (change) => {
  test('is one change for one cause, with its line', async () => {
    commitChanges(made, change.tag, [change])
    const { stdout, exitCode } = await made.fleet.run('diff', `start..${change.tag}`)
    await expect(stdout).toMatchFileSnapshot(golden(`${change.tag}.txt`))
    expect(exitCode).toBe(2)
  })
})

test('a commit has the same changes for each form of the revisions', async () => {
  commitChanges(
    made,
    'forms',
    EIGHT_CHANGES.filter(({ tag }) => tag === 'hand-edit'),
  )
  const wanted = readFileSync(golden('hand-edit.txt'), 'utf8')
  for (const range of ['start', 'start...forms', 'start..'])
    expect([range, (await made.fleet.run('diff', range)).stdout]).toEqual([range, wanted])
})

describe('all changes in one commit', () => {
  const FORMATS: readonly (readonly [file: string, args: readonly string[]])[] = [
    ['all.json', ['--format', 'json']],
    ['all.md', ['--format', 'markdown']],
    ['all-cut.md', ['--format', 'markdown', '--max-chars', '2000']],
    ['all.diff', ['--unified']],
  ]
  const isPublishedForm = (json: unknown) => {
    const schema = JSON.parse(readFileSync(fileURLToPath(new URL('../../schemas/output/diff.json', import.meta.url)), 'utf8'))
    expect(schema.required).toContain('formatVersion')
    const ajv = new Ajv({ strict: false, allErrors: true })
    return ajv.validate(schema, json) || ajv.errorsText()
  }

  beforeAll(() => commitChanges(made, 'all', EIGHT_CHANGES))

  test.each(FORMATS)('are printed as %s', async (file, args) => {
    const { stdout, exitCode } = await made.fleet.run('diff', 'start', ...args)
    await expect(stdout).toMatchFileSnapshot(golden(file))
    expect(exitCode).toBe(2)
  })

  test('have the same causes when the packages are rendered and committed with them, in the form of the published schema', async () => {
    expect((await made.fleet.run('render', '.', '--allow-moved', '--discard-edits')).exitCode).toBe(0)
    made.fleet.commit('rendered')
    const { stdout } = await made.fleet.run('diff', 'start..rendered', '--format', 'json')
    const [report, before] = [JSON.parse(stdout), JSON.parse(recorded('all.json'))]
    expect(report.groups).toEqual(before.groups)
    expect([isPublishedForm(report), isPublishedForm(before)]).toEqual([true, true])
    const present = clusterObjects(made.fleet.folder)
    made.fleet.git('checkout', '--quiet', 'start')
    expect(applyReport(report, clusterObjects(made.fleet.folder))).toEqual(present)
    made.fleet.git('checkout', '--quiet', 'all')
  })
})

describe('the report of all changes', () => {
  const { groups, ...others }: DiffReport = JSON.parse(recorded('all.json'))
  const report: DiffReport = { ...others, groups, results: [] }

  test.each([
    ['all.txt', () => diffText(report, stylesFor({ environment: {}, isTerminal: false }, {}))],
    ['all.github.txt', () => dangersGithub(report, (path) => path)],
    ['all.sarif', () => dangersSarif(report, '1.2.3', (path) => path)],
  ])('is printed as %s', async (file, print) => {
    await expect(print()).toMatchFileSnapshot(golden(file))
  })

  test('is a page that allows its own script and style only, without values of Secrets', () => {
    const page = diffPage(report)
    expect(page).toContain(`"default-src 'none'; script-src 'sha256-`)
    const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(page) ?? []
    expect(json).not.toContain('<')
    const data: { summary: string; report: { groups: readonly ChangeGroup[] } } = JSON.parse(json)
    expect(data.summary).toBe('10 of 10 packages change on 8 clusters, in 9 ways')
    expect(data.report.groups.map(({ id }) => id)).toEqual(groups.map(({ id }) => id))
  })
})

/** Returns the objects that clusters get, in the committed packages. */
function clusterObjects(repository: string): ClusterObjects {
  const root = join(repository, 'clusters')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
  const found: ClusterObjects = new Map()
  for (const path of files.sort()) {
    const [store = '', name = ''] = path.split('/')
    const value = parse(readFileSync(join(root, path), 'utf8'))
    if (value.metadata.annotations?.['config.kubernetes.io/local-config'] === 'true') continue
    const own = found.get(`${store}/${name}`) ?? new Map()
    found.set(`${store}/${name}`, own.set(identityOf({ ...value, ...value.metadata }), value))
  }
  return found
}

test('a change of a quarter of the clusters of a set is not wide', async () => {
  commitChanges(made, 'quarter', [{ tag: 'west', act: (fleet) => fleet.replace('endpoints/regions.yaml', 'metrics.west.', 'm.west.') }])
  const { stdout, exitCode } = await made.fleet.run('diff', 'start..quarter', '--fail-on', 'danger')
  expect(stdout).toContain('2 of 10 packages change on 2 clusters')
  expect([stdout.includes('Dangers'), exitCode]).toEqual([false, 2])
})

test('a field that an upstream revision and a function change names both, and what one of them has overwritten is not named', async () => {
  const act: FleetCommit['act'] = (fleet) => {
    fleet.replace('sets/tills.yaml', 'revision: 3', 'revision: 4')
    fleet.replace(
      'catalog/tills@v4/tills.yaml',
      'value: till.example.com # kpt-set: ${till-host}',
      'value: till.example.com:8443 # kpt-set: ${till-host}:8443',
    )
    fleet.replace('sets/tills.yaml', "'till.' +", "'pos.' +")
    fleet.replace('catalog/tills@v4/tills.yaml', 'replicas: 2 #', 'replicas: 5 #')
    fleet.replace('sets/tills.yaml', 'replicas: "2"', 'replicas: "3"')
  }
  commitChanges(made, 'together', [{ tag: 'together', act }])
  const { stdout } = await made.fleet.run('diff', 'start..together')
  await expect(stdout).toMatchFileSnapshot(golden('together.txt'))
})

test('an object that a policy of TO forbids is an error, whether the packages are committed or not', async () => {
  const policy = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'FleetPolicy',
    metadata: { name: 'few-replicas' },
    spec: {
      forEach: 'objects',
      where: "item.kind == 'Deployment' && item.package.variant.spec.upstream.package == 'tills'",
      validations: [{ expression: 'item.spec.replicas < 7', message: 'seven tills are one too many' }],
    },
  }
  const act: FleetCommit['act'] = (fleet) => {
    fleet.write('policies.yaml', JSON.stringify(policy, null, 2))
    fleet.replace('sets/tills.yaml', 'replicas: "2"', 'replicas: "7"')
  }
  commitChanges(made, 'policy', [{ tag: 'policy', act }])
  const { stderr, exitCode } = await made.fleet.run('diff', 'start..policy')
  await expect(stderr).toMatchFileSnapshot(golden('policy.txt'))
  expect(exitCode).toBe(1)
  expect((await made.fleet.run('render', '.')).exitCode).toBe(0)
  made.fleet.commit('policy-rendered')
  expect((await made.fleet.run('diff', 'start..policy-rendered')).stderr).toBe(stderr)
})

test('one state has no change', async () => {
  commitChanges(made, 'same', [])
  const { stdout, exitCode } = await made.fleet.run('diff', 'start..start')
  expect([stdout, exitCode]).toEqual(['Fleet: no package changes\n', 0])
})

// Manifests of public repositories. They are not part of this repository.
const REAL = fileURLToPath(new URL('../../../shared/real/packages', import.meta.url))

test.runIf(SHARED_MUST_BE_THERE || existsSync(REAL))('the dangers of real manifests have a line each', async () => {
  const act: FleetCommit['act'] = (fleet) => {
    fleet.replace('sets/tills.yaml', 'revision: 3', 'revision: 4')
    const files = readdirSync(REAL, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
    for (const [i, path] of files.entries()) {
      const text = readFileSync(join(REAL, path), 'utf8')
      if (
        /^kind: (Deployment|DaemonSet|StatefulSet|ClusterRole|Role|ClusterRoleBinding|.*WebhookConfiguration)$/m.test(text) &&
        !/config-injection|[&*]\w+$/m.test(text)
      )
        fleet.write(`catalog/tills@v4/real-${i}.yaml`, text)
    }
  }
  commitChanges(made, 'real', [{ tag: 'real', act }])
  const { stdout, both } = await made.fleet.run('diff', 'start..real', '--no-run', '--format', 'json')
  expect(stdout, both).not.toBe('')
  const groups: readonly Pick<ChangeGroup, 'causes' | 'dangers'>[] = JSON.parse(stdout).groups
  const dangerous = groups.filter(({ dangers }) => dangers.length > 0)
  expect(dangerous.length).toBeGreaterThan(5)
  expect(dangerous.filter(({ causes }) => !causes.some(({ file, line }) => file !== undefined && line !== undefined))).toEqual([])
})

test('a folder that is not there is refused', async () => {
  const { both, exitCode } = await made.fleet.run('diff', 'start', 'nowhere')
  expect([both, exitCode]).toEqual(["krm-variants: no folder 'nowhere' to read\n", 1])
})

test('a name that is a folder and a revision is asked for', async () => {
  made.fleet.git('tag', '--force', 'sets', 'start')
  const { both, exitCode } = await made.fleet.run('diff', 'sets')
  expect(both).toContain("write './sets' for the folder, or 'sets .' for the revision")
  expect(exitCode).toBe(1)
})

test('a package of a variant that stays by its policy is left', async () => {
  const act: FleetCommit['act'] = (fleet) => {
    fleet.replace('sets/tills.yaml', 'deletionPolicy: delete', 'deletionPolicy: orphan')
    fleet.commit('orphan')
    fleet.replace(
      'stores/stores.yaml',
      'name: kel-01\n  namespace: fleet\n  labels:\n    region: north\n    status: open',
      'name: kel-01\n  namespace: fleet\n  labels:\n    region: north\n    status: closed',
    )
  }
  commitChanges(made, 'left', [{ tag: 'left', act }])
  const { stdout, exitCode } = await made.fleet.run('diff', 'orphan..left', '--out', 'nowhere')
  expect(stdout).toBe(
    'Fleet: no object of a cluster changes; 1 other package differs in nothing that a cluster gets\n\n1 package stays without a variant (deletionPolicy orphan): store-kel-01/tills\n',
  )
  expect(exitCode).toBe(2)
})

test('removals that render refuses are shown, with the refusal and the line of the limit', async () => {
  const act: FleetCommit['act'] = (fleet) => {
    fleet.replace('sets/tills.yaml', 'status: open', 'status: closing')
    fleet.replace('stores/stores.yaml', 'status: open', 'status: closing')
    fleet.replace('render.yaml', 'spec:\n', 'spec:\n  maxDeletions: 2\n')
  }
  commitChanges(made, 'losing', [{ tag: 'losing', act }])
  const { stdout, stderr, exitCode } = await made.fleet.run('diff', 'start..losing')
  expect(stdout).toContain('7 clusters  2 objects: ServiceEndpoints tills/endpoints, Deployment tills/till-server are deleted')
  expect(stderr).toMatch(/^render\.yaml:8:17: error: `spec\.maxDeletions` must be at least 7 to remove so many of 10 packages, is 2 \(/m)
  expect(exitCode).toBe(1)
})

test('removals of a set with files of its variants are shown, with the refusal of the set', async () => {
  commitChanges(made, 'written', [])
  await made.fleet.run('fn', 'fan-out', '.', '--write')
  made.fleet.commit('written')
  made.fleet.replace('sets/tills.yaml', 'status: open', 'status: shut')
  const { stdout, stderr, exitCode } = await made.fleet.run('diff', 'written')
  expect(stdout).toContain('8 clusters  2 objects: ServiceEndpoints tills/endpoints, Deployment tills/till-server are deleted')
  expect(stderr).toContain('sets/tills.yaml:11:3: error: `spec.targets` must match something: ')
  expect(exitCode).toBe(1)
})

test.each([
  ['nowhere', "'nowhere': git knows no such revision"],
  ['start..nowhere', "'nowhere': git knows no such revision"],
  ['start...other', "'start...other': the two revisions have no commit in common"],
  ['--upload-pack=x', "unknown option '--upload-pack=x'"],
])('%s is refused', async (range, words) => {
  const { both, exitCode } = await made.fleet.run('diff', range)
  expect(both).toContain(words)
  expect(exitCode).toBe(1)
})
