import { type JsonRecord, type JsonValue, lookup, recordsOf, scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import type { PackageIndex } from '../package-index.ts'
import { type ControllerStep, setStep } from '../reading/ecosystem.ts'
import { PACKAGE_API } from './dependencies.ts'
import { type CrossplanePackage, isLock } from './objects.ts'
import type { CrossplaneState } from './ownership.ts'
import { parseReference, sourceFromReference } from './reference.ts'
import { hasChange } from './releases.ts'
import { type ReconciledPackage, type RevisionObject, revisionsAfter } from './revisions.ts'

/**
 * Returns the steps on the entries of the Lock after one reconcile of each package (internal/controller/pkg/revision/dependency.go). A
 * revision that turns Inactive or is deleted takes its entry out. An Active one writes its entry: an entry of its name with another source
 * is outdated and goes, one with another version gets the version (before v2.2 it stays). Entries of no revision stay: Crossplane never
 * removes these. A list without a Lock gets none.
 */
export function lockSteps(
  reconciled: readonly ReconciledPackage[],
  { objects, index, crossplaneVersion }: CrossplaneState,
): ControllerStep[] {
  const lock = objects.find((object) => isLock(object) && object.kind === 'Lock')
  if (lock === undefined) return []
  return new LockEntries(lock, index, hasChange('lock-follows-versions', crossplaneVersion)).stepsAfter(reconciled)
}

class LockEntries {
  readonly #lock: KrmObject
  readonly #index: PackageIndex
  readonly #followsVersions: boolean
  #entries: readonly JsonRecord[]

  constructor(lock: KrmObject, index: PackageIndex, followsVersions: boolean) {
    this.#lock = lock
    this.#index = index
    this.#followsVersions = followsVersions
    this.#entries = recordsOf(lock.get(['packages']))
  }

  stepsAfter(reconciled: readonly ReconciledPackage[]): ControllerStep[] {
    return reconciled.flatMap((each) => {
      const after = new Map(revisionsAfter(each).map(({ name, state }) => [name, state]))
      const isActive = ({ revision }: RevisionObject) => after.get(revision.name) === 'Active'
      const removed = each.revisions.flatMap((revision) => (isActive(revision) ? [] : this.#remove(revision)))
      return [...removed, ...each.revisions.filter(isActive).flatMap((revision) => this.#write(each.package, revision))]
    })
  }

  #remove({ revision: { name } }: RevisionObject): ControllerStep[] {
    const found = this.#entries.find((entry) => text(entry, 'name') === name)
    if (found === undefined) return []
    const rest = this.#entries.filter((entry) => entry !== found)
    return [this.#step(rest, `has no entry ${name} any more`, 'only Active revisions are in the Lock')]
  }

  #write(parent: CrossplanePackage, { revision: { name }, image }: RevisionObject): ControllerStep[] {
    const { tag, digest } = parseReference(image)
    const wanted = { source: sourceFromReference(image), version: digest || tag }
    const what = `has ${wanted.source} ${wanted.version} as ${name}`
    const found = this.#entries.find((entry) => text(entry, 'name') === name)
    const isOutdated = found !== undefined && text(found, 'source') !== wanted.source
    if (found !== undefined && !isOutdated && (!this.#followsVersions || text(found, 'version') === wanted.version)) return []
    if (found !== undefined && !isOutdated) {
      const updated = this.#entries.map((entry) => (entry === found ? { ...entry, version: wanted.version } : entry))
      return [this.#step(updated, what, `the entry had ${text(found, 'version') || 'no version'}`)]
    }
    const dependencies = this.#dependenciesOf(parent, image)
    const entry = { apiVersion: PACKAGE_API, kind: parent.kind, name, ...wanted, dependencies }
    const rest = this.#entries.filter((each) => each !== found)
    const why = isOutdated ? `its entry was outdated, of ${text(found, 'source')}` : 'an Active revision adds itself'
    return [this.#step([...rest, entry], what, why)]
  }

  /** Returns what the version requires, as the Lock has it; none if that is not known. */
  #dependenciesOf({ object, field }: CrossplanePackage, image: string): readonly JsonValue[] {
    if (scalarText(field.value) !== image) return []
    const own = this.#index.dependents.find(
      ({ install }) => install?.place.ref.name === object.name && install?.place.ref.kind === object.kind,
    )
    return (own?.requirements ?? []).flatMap((each) =>
      each.type === 'package' ? [{ package: each.package.id, constraints: each.digest ?? each.range?.text ?? '' }] : [],
    )
  }

  #step(entries: readonly JsonRecord[], what: string, why: string): ControllerStep {
    this.#entries = entries
    const fields = [{ path: ['packages'], value: entries }]
    return setStep(this.#lock, fields, `${formatResourceRef(this.#lock.ref)} ${what}`, why)
  }
}

function text(entry: JsonRecord, key: string): string {
  return scalarText(lookup(entry, key))
}
