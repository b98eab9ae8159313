import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import { isUpgradable } from '../../versions/blang-version.ts'
import type { Install, PackageIndex, PackageRequirement } from '../package-index.ts'
import {
  ControllerState,
  type InstalledRequirement,
  packageRequirements,
  passAfter,
  reportViolations,
  requirementsOn,
} from '../plan/controller-state.ts'
import type { ControllerInput, Plan, Step } from '../plan/plan.ts'
import { pruneGuard } from '../plan/pruning.ts'
import { type ControllerStep, type PackageSummary, type Reconciliation, setStep } from '../reading/ecosystem.ts'
import { childText, fieldAt, itemFields, textAt } from '../reading/field.ts'
import { groupKind } from '../reading/object-metadata.ts'
import { describeWanted } from '../requirements.ts'
import type { GlasskubePackage } from './objects.ts'

/**
 * Returns the steps that Glasskube would take (internal/dependency/manager.go, Validate). A missing package is installed at the highest
 * version that all installed packages allow, then its own missing packages. An installed version is never changed. Dependencies are taken
 * in sorted order; Glasskube's own order is that of a Go map.
 */
export function nativeGlasskube(index: PackageIndex, input: ControllerInput): Plan {
  const { policy, maxSteps } = input
  const state = new ControllerState(index, policy)
  const operator = new Operator(state)
  while (state.steps.length < maxSteps && operator.installFirst());
  reportViolations(state, operator.reported)
  const made = state.steps.length
  if (policy.prune) operator.prune()
  const removals = state.steps.slice(made)
  if (made === 0 || removals.length === 0) return state
  // A package that is removed must not have caused an installation.
  const { steps, failures } = nativeGlasskube(without(index, removals), input)
  return { steps: [...steps, ...removals], failures }
}

function without(index: PackageIndex, removals: readonly Step[]): PackageIndex {
  const gone = new Set(removals.map(({ install }) => install))
  return {
    ...index,
    installs: index.installs.filter((install) => !gone.has(install)),
    dependents: index.dependents.filter(({ install }) => install === undefined || !gone.has(install)),
  }
}

class Operator {
  readonly #state: ControllerState
  /** Requirements that cannot be installed. They are not tried again. */
  readonly reported = new Set<PackageRequirement>()

  constructor(state: ControllerState) {
    this.#state = state
  }

  installFirst(): boolean {
    const found = this.#missing()
    if (found === undefined) return false
    const { requirement, by } = found
    const all = requirementsOn(requirement.package, this.#state.all())
    const ranges = all.flatMap((each) => each.requirement.range ?? [])
    const best = requirement.package.versions.find((version) => ranges.every((range) => range.selects(version)))
    if (best === undefined) {
      this.reported.add(requirement)
      const what = `${requirement.package.id}${describeWanted(requirement)}, of which no version is allowed`
      this.#state.fail(this.#state.parentOf(by, requirement), what)
    } else {
      const parents = all.map((each) => this.#state.parentOf(each.by, each.requirement))
      this.#state.create(requirement.package, best.text, parents, passAfter(by))
    }
    return true
  }

  /** Returns the first missing requirement, by the key of the package that requires it and then by its own key. */
  #missing(): InstalledRequirement | undefined {
    for (const by of this.#state.all()) {
      const absent = packageRequirements(by).filter((each) => this.#state.of(each.package).length === 0 && !this.reported.has(each))
      const [requirement] = absent.sort((a, b) => compareText(a.package.key, b.package.key))
      if (requirement !== undefined) return { requirement, by }
    }
    return undefined
  }

  /** Removes installs that were made for a package and that no package requires, until none is left. */
  prune(): void {
    for (let unused = this.#unused(); unused.length > 0; unused = this.#unused()) {
      for (const install of unused) this.#state.remove(install, 1)
    }
  }

  /** Returns the installs that were made for a package, that no package requires, and that nothing protects. */
  #unused(): Install[] {
    const all = this.#state.all()
    const used = new Set(all.flatMap((each) => packageRequirements(each).map(({ package: pkg }) => pkg)))
    const unused = all.flatMap(({ install, package: pkg }) => (install?.generated === true && !used.has(pkg) ? [install] : []))
    const guard = pruneGuard(this.#state.index)
    return unused.filter((install) => guard(install) === undefined)
  }
}

/** Everything that the operator looks at. */
export interface GlasskubeState {
  readonly objects: readonly KrmObject[]
  readonly packages: readonly GlasskubePackage[]
  /** Returns the latest version of a package; '' if no version is known. */
  readonly latestOf: (each: GlasskubePackage) => string
}

const GROUP = 'packages.glasskube.dev'

/**
 * Returns the steps of the operator in one reconcile of each package (seed 004 rule 3). The version that a package asks for gets a
 * PackageInfo. When that is ready, the version is installed, and PackageInfos of other versions are deleted unless a package needs them.
 */
export function reconcileGlasskube(state: GlasskubeState): Reconciliation {
  const infos = state.objects.filter((object) => groupKind(object) === `${GROUP}/PackageInfo`).map(readInfo)
  const sorted = [...state.packages].sort((a, b) => compareText(a.instance, b.instance))
  const all = sorted.map((each) => {
    const version = wantedVersion(each, state.latestOf(each))
    return { each, version, name: packageInfoName(each, version) }
  })
  const byName = groupBy(infos, ({ name }) => name)
  const byPackage = groupBy(infos, ({ packageName }) => packageName)
  const wanted = new Set(all.map(({ name }) => name))
  // Two packages may ask for one version, or stop to.
  const changed = new Set<string>()
  const steps = all.flatMap(({ each, version, name }) => {
    if (version === '') return []
    const [there] = byName.get(name) ?? []
    if (there === undefined && changed.has(name)) return []
    if (there === undefined) {
      changed.add(name)
      return [createStep(each, version, name, state)]
    }
    if (!there.isReady) return []
    const isOld = (info: PackageInfo): boolean =>
      info.name === packageInfoName(each, info.version) && !wanted.has(info.name) && !changed.has(info.name)
    const old = (byPackage.get(each.manifestName) ?? []).filter(isOld)
    for (const info of old) changed.add(info.name)
    return [...old.map((info) => deleteStep(info, version)), ...installedStep(each, version)]
  })
  return { steps, findings: [], packages: state.packages.map((each) => stateOf(each, byPackage.get(each.manifestName) ?? [])) }
}

/**
 * Returns the state of a package in words.
 *
 * @param infos  the PackageInfos of the package
 */
function stateOf({ object, version }: GlasskubePackage, infos: readonly PackageInfo[]): PackageSummary {
  const installed = textAt(object, 'status', 'version') || 'nothing'
  const readiness = (info: PackageInfo) => (info.isReady ? 'ready' : `not ready: no manifest of ${info.version} is known`)
  const parts = infos.map((info) => `PackageInfo ${info.name}, ${readiness(info)}`)
  return {
    name: formatResourceRef(object.ref),
    at: `asks for ${version || 'the latest version'}, has ${installed}`,
    parts: infos.length === 0 && version === '' ? ['no version of it is known'] : parts,
  }
}

/** A version of a package that the operator has fetched. */
interface PackageInfo {
  readonly object: KrmObject
  readonly name: string
  readonly packageName: string
  readonly version: string
  /** True when the manifest of the PackageInfo is present. */
  readonly isReady: boolean
}

function readInfo(object: KrmObject): PackageInfo {
  const conditions = itemFields(fieldAt(object, ['status', 'conditions']))
  const isReady = conditions.some((each) => childText(each, 'type') === 'Ready' && childText(each, 'status') === 'True')
  const [packageName, version] = [textAt(object, 'spec', 'name'), textAt(object, 'spec', 'version')]
  return { object, name: object.name ?? '', packageName, version, isReady }
}

function createStep(parent: GlasskubePackage, version: string, name: string, { objects }: GlasskubeState): ControllerStep {
  const { manifestName, repository } = parent
  const found = objects.find((object) => groupKind(object) === `${GROUP}/PackageRepository` && object.name === repository)
  const url = found === undefined ? '' : textAt(found, 'spec', 'url')
  const object: JsonRecord = {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'PackageInfo',
    metadata: { name },
    spec: { name: manifestName, version, ...(url !== '' && { repositoryUrl: url }) },
  }
  return {
    what: `PackageInfo ${name} is made`,
    why: parent.version === '' ? `${version} is the latest version` : `the package is pinned to ${version}`,
    edits: [{ type: 'add', object, near: parent.object }],
  }
}

function deleteStep({ object, name, version }: PackageInfo, ready: string): ControllerStep {
  const why = `${ready} is ready, and no package asks for ${version}`
  return { what: `PackageInfo ${name} is deleted`, why, edits: [{ type: 'remove', object }] }
}

function installedStep({ object }: GlasskubePackage, version: string): ControllerStep[] {
  const path = ['status', 'version']
  if (textAt(object, ...path) === version) return []
  const what = `${formatResourceRef(object.ref)} is at ${version}`
  return [setStep(object, [{ path, value: version }], what, 'its PackageInfo is ready, so its manifest is applied')]
}

/**
 * Returns the name of a PackageInfo: `[REPOSITORY--]NAME--VERSION` in lower case, each character that a name must not have replaced by
 * `--`.
 */
function packageInfoName({ repository, manifestName }: GlasskubePackage, version: string): string {
  const name = `${repository === '' ? '' : `${repository}--`}${manifestName}--${version}`
  return name.replace(/[^A-Za-z0-9_.-]/g, '--').toLowerCase()
}

/**
 * Returns the version that a package asks for: the pinned version, else the latest known one, but never one below the installed version
 * (seed 004 rules 1 and 5).
 */
function wantedVersion({ object, version: pinned }: GlasskubePackage, latest: string): string {
  if (pinned !== '') return pinned
  const installed = textAt(object, 'status', 'version')
  return installed !== '' && (latest === '' || !isUpgradable(installed, latest)) ? installed : latest
}
