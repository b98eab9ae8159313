import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readFolder } from '../../../e2e/folder-copy.ts'
import { type RecordedRun, recordRun } from '../../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../../testdata/test-folder.ts'

/** One more than the fewest packages that have a record. */
export const SITES = 21

/** A fleet of small packages. `keys` is the user's folder for caches. */
export interface RememberedFleet {
  readonly root: string
  readonly out: string
  readonly keys: string
}

export function makeFleet(): RememberedFleet {
  const root = testFolder()
  const fleet = { root, out: join(root, 'fleet/out'), keys: join(root, 'cache') }
  for (const revision of [1, 2]) {
    const folder = join(root, `fleet/catalog/web@v${revision}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    writeFileSync(
      join(folder, 'deploy.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: deploy\ndata:\n  replicas: '${revision}'\n`,
    )
    writeFileSync(join(folder, 'notes.txt'), 'notes\n')
  }
  writeRepositories(fleet, SITES, 'eu')
  writeSet(fleet, 1, 'a')
  // A file that was changed right before a run may have been changed while the run read it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
  return fleet
}

export function writeRepositories({ root }: RememberedFleet, sites: number, region: string): void {
  const repositories = Array.from(
    { length: sites },
    (_, site) =>
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: site-${site}\n  namespace: fleet\n  labels: {region: ${site === 3 ? region : 'eu'}}\nspec:\n  type: git\n`,
  )
  writeFileSync(join(root, 'fleet/repositories.yaml'), repositories.join('---\n'))
}

export function writeSet({ root }: RememberedFleet, revision: number, value: string): void {
  writeFileSync(
    join(root, 'fleet/set.yaml'),
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: web
  namespace: fleet
spec:
  upstream: {repo: catalog, package: web, revision: ${revision}}
  targets:
  - repositorySelector: {matchExpressions: [{key: retired, operator: DoesNotExist}]}
    template:
      packageContext:
        data: {value: ${value}}
        dataExprs:
        - {key: region, valueExpr: "repository.labels['region']"}
`,
  )
}

/** Lets each package run a function whose option has the region as its name: only `namespace` is one. */
export function addFunction({ root }: RememberedFleet): void {
  const set = join(root, 'fleet/set.yaml')
  writeFileSync(
    set,
    `${readFileSync(set, 'utf8')}      pipeline:
        mutators:
        - name: ns
          image: set-namespace:v0.4.1
          configMapExprs:
          - {keyExpr: "repository.labels['region'] == 'bad' ? 'typo' : 'namespace'", value: shop}
`,
  )
}

export function runIn({ root, keys }: RememberedFleet, isRemembered: boolean, ...args: readonly string[]): Promise<RecordedRun> {
  return recordRun(join(root, 'fleet'), args, { environment: isRemembered ? { XDG_CACHE_HOME: keys } : {} })
}

export function render(fleet: RememberedFleet, isRemembered: boolean, ...options: readonly string[]): Promise<RecordedRun> {
  return runIn(fleet, isRemembered, 'render', '.', '--out', 'out', ...options)
}

export function filesOfPackages({ out }: RememberedFleet): readonly (readonly [string, string, number])[] {
  return [...(existsSync(out) ? readFolder(out) : [])].map(([path, text]) => [path, text, statSync(join(out, path)).mode])
}

/** Returns the records that are left, in the user's cache. */
export function renderRecords({ keys }: RememberedFleet): readonly string[] {
  const folder = join(keys, 'krm-variants/renders')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

export function renderRecord(fleet: RememberedFleet): string {
  return renderRecords(fleet)[0] ?? ''
}

/** Returns true if the run opened no package: then it leaves the record as it was. */
export async function isRepeated(fleet: RememberedFleet): Promise<boolean> {
  const before = statSync(renderRecord(fleet)).ino
  const { exitCode } = await render(fleet, true)
  expect(exitCode).toBe(0)
  return statSync(renderRecord(fleet)).ino === before
}

export function replaceIn(file: string, pattern: RegExp, text: string): void {
  if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, text))
}
