import { DEFAULT_OPTIONS } from '../../fleet/options.ts'
import { planFanOut } from '../../fleet/plan-fan-out.ts'
import { plannedVariants } from '../../fleet/planned-variants.ts'
import { resourceListOf, type Written } from '../../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResult } from '../../result.ts'
import { argocdObjects } from '../argocd.ts'
import { configSyncObjects } from '../config-sync.ts'
import { type OtherFiles, readDeployedPackages } from '../deployed-packages.ts'
import { fluxObjects } from '../flux.ts'
import type { SyncExpression, SyncOptions, SyncSystem } from '../options.ts'
import { planDeployments } from '../plan-deployments.ts'

const OBJECTS = { flux: fluxObjects, argocd: argocdObjects, 'config-sync': configSyncObjects } as const

const NAMESPACES = { flux: 'flux-system', argocd: 'argocd', 'config-sync': 'config-management-system' } as const

/** The options of a test: an expression is its text. */
export interface TestOptions extends Partial<Omit<SyncOptions, 'expressions' | 'dependsOn'>> {
  readonly system: SyncSystem
  readonly expressions?: Partial<Record<SyncExpression, string>>
  readonly dependsOn?: Readonly<Record<string, readonly string[]>>
}

/** Returns the options of the GenerateSync `s`. */
export function optionsOfTest({ expressions = {}, dependsOn = {}, ...options }: TestOptions): SyncOptions {
  const config = KrmObject.fromDocument('{"kind":"GenerateSync","metadata":{"name":"s"}}', { path: 'sync.yaml', index: 0, line: 1 })
  const written = Object.entries(expressions).map(([name, text]) => [name as SyncExpression, { text, path: ['spec', name] }] as const)
  return {
    config,
    name: 's',
    per: 'package',
    namespace: NAMESPACES[options.system],
    prune: true,
    wait: true,
    syncOptions: [],
    remove: new Set(),
    ...options,
    expressions: new Map(written),
    dependsOn: new Map(Object.entries(dependsOn)),
  }
}

/** Returns the sync objects of a fleet, and the findings, a line each: `fleet/a.yaml:1:2: error: … [sync-name]`. */
export function syncOf(objects: readonly Written[], options: TestOptions, files: OtherFiles = {}) {
  const list = resourceListOf(objects)
  const plan = planFanOut(list, { ...DEFAULT_OPTIONS, allowEmpty: true })
  const read = optionsOfTest(options)
  const { deployments, results } = planDeployments(plannedVariants(plan), plan.fleet, read, readDeployedPackages(list.items, files))
  return { deployments, objects: OBJECTS[options.system](deployments, read, list.items), results: results.map(formatResult) }
}

/** Returns a Repository in git: `https://git.example.com/NAME.git`, unless `git` names another one. */
export function gitRepositoryOf(name: string, git: JsonRecord = {}, labels: JsonRecord = {}): Written {
  const object = {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'Repository',
    metadata: { name, labels },
    spec: { type: 'git', deployment: true, git: { repo: `https://git.example.com/${name}.git`, branch: 'main', ...git } },
  }
  return [`fleet/${name}.yaml`, object]
}

/** Returns a PackageVariant without an owner, named `REPOSITORY-PACKAGE`. */
export function variantOf(repo: string, packageName: string): Written {
  const object = {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'PackageVariant',
    metadata: { name: `${repo}-${packageName.replaceAll('/', '-')}`, namespace: 'default' },
    spec: { upstream: { repo: 'catalog', package: packageName, revision: 1 }, downstream: { repo, package: packageName } },
  }
  return [`fleet/${repo}-${packageName.replaceAll('/', '-')}.yaml`, object]
}

/** Returns the objects of a rendered package, each in a file of its own, `a.yaml` for the first. */
export function renderedPackage(repo: string, packageName: string, objects: readonly JsonRecord[]): readonly Written[] {
  const folder = `packages/${repo}/${packageName}`
  const annotations = { 'krm-variants.dev/package-variant': `default/${repo}-${packageName.replaceAll('/', '-')}` }
  const kptfile = { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: packageName, annotations } }
  return [[`${folder}/Kptfile`, kptfile], ...objects.map((object, index): Written => [`${folder}/${'abcdefgh'[index] ?? ''}.yaml`, object])]
}

/** Returns an object in a namespace; without one for `''`. */
export function resourceOf(kind: string, name: string, namespace = '', apiVersion = 'v1'): JsonRecord {
  return { apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) } }
}
