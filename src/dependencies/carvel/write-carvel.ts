import { equalJson, type JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { LAST_GENERATED_ANNOTATION } from '../../well-known.ts'
import type { Install } from '../package-index.ts'
import { installs, ownerName, type Parent, type Step } from '../plan/plan.ts'
import type { RangeReader } from '../range.ts'
import type { NewFieldValue, Writer, WrittenObject } from '../reading/ecosystem.ts'
import { lastGenerated } from '../reading/last-generated.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import { generatedAfter, generatedBase, generatedSpec, type Handed, handedBy, handedFields, withoutEdited } from './generated-install.ts'
import { CARVEL_OWNER_ANNOTATION, type InstallOwners, type PackageInstall } from './installs.ts'

/**
 * Returns the name of the PackageInstall that is made for a dependency (seed 002): refName and version in lower case,
 * `pkg.example.com.1.2.3`.
 */
export function installName(refName: string, version: string): string {
  return `${refName}.${version}`.toLowerCase().replace(/[^a-z0-9.-]/g, '-')
}

/** Makes PackageInstalls as seed 002 has them: named by refName and version, with the owner's service account, one exact version. */
export class CarvelWriter implements Writer {
  readonly #installs: ReadonlyMap<Install, PackageInstall>
  readonly #owners: InstallOwners
  readonly #reader: RangeReader
  readonly #handed = new Map<Step, Handed>()

  constructor(installs: ReadonlyMap<Install, PackageInstall>, owners: InstallOwners, reader: RangeReader) {
    this.#installs = installs
    this.#owners = owners
    this.#reader = reader
  }

  create(step: Step, near: KrmObject | undefined): WrittenObject {
    const [owner] = step.parents
    if (owner !== undefined && !installs(owner)) return { fault: 'everything that requires it says `install: false`' }
    const handed = owner && this.#handedBy(owner, step)
    if (handed === undefined) return { fault: `no PackageInstall requires it whose service account could install it` }
    this.#handed.set(step, handed)
    const { namespace } = near ?? {}
    const spec = generatedSpec(step.package.id, this.#selection(step.version), handed)
    const annotations = {
      [CARVEL_OWNER_ANNOTATION]: `PackageInstall/${step.owner}`,
      [RESOLVED_ANNOTATION]: step.version,
      [LAST_GENERATED_ANNOTATION]: lastGenerated(spec),
    }
    const metadata = { name: step.name, ...(namespace !== undefined && { namespace }), annotations }
    return { object: { apiVersion: 'packaging.carvel.dev/v1alpha1', kind: 'PackageInstall', metadata, spec } }
  }

  update(step: Step): readonly NewFieldValue[] {
    const { install, owner } = step
    const found = install && this.#installs.get(install)
    if (install === undefined || found === undefined) return []
    const moved = this.#moved(step, found)
    if (!install.generated) return moved
    const base = generatedBase(found, this.#owners.ownerOf(found))
    const handedOver = owner === found.owner ? [] : this.#handedOver(step)
    const isRecorded = found.lastGenerated.type === 'recorded' || install.keptBecause === undefined
    const marks = this.#marks(step, isRecorded && base !== undefined ? generatedAfter(base, [...moved, ...handedOver]) : undefined)
    const changes = [...moved, ...withoutEdited(handedOver, found, base)]
    return [...marks, ...changes].filter(({ path, value }) => !equalJson(found.object.get(path), value))
  }

  /** Returns the fields that move an install to another version. */
  #moved({ install, version }: Step, { ref }: PackageInstall): readonly NewFieldValue[] {
    if (version === install?.text) return []
    const selection = ['spec', 'packageRef', 'versionSelection']
    const prereleases = this.#isPrerelease(version) && ref.prereleases === undefined
    return [
      { path: [...selection, 'constraints'], value: version },
      ...(prereleases ? [{ path: [...selection, 'prereleases'], value: {} }] : []),
    ]
  }

  /** Returns the annotations of a generated install after a step; without a record if it is not known what was generated. */
  #marks({ owner, version }: Step, spec: JsonRecord | undefined): readonly NewFieldValue[] {
    const annotations = ['metadata', 'annotations']
    return [
      ...(owner === undefined ? [] : [{ path: [...annotations, CARVEL_OWNER_ANNOTATION], value: `PackageInstall/${owner}` }]),
      { path: [...annotations, RESOLVED_ANNOTATION], value: version },
      ...(spec === undefined ? [] : [{ path: [...annotations, LAST_GENERATED_ANNOTATION], value: lastGenerated(spec) }]),
    ]
  }

  /**
   * Returns the fields that change when an install gets another owner: service account, default namespace and values. The install would
   * otherwise keep the account and values of its former owner.
   */
  #handedOver(step: Step): readonly NewFieldValue[] {
    const owner = step.parents.find((parent) => ownerName(parent) === step.owner)
    const handed = owner && this.#handedBy(owner, step)
    return handed === undefined ? [] : handedFields(handed).map(([key, value]) => ({ path: ['spec', key], value }))
  }

  #selection(version: string): JsonRecord {
    return { constraints: version, ...(this.#isPrerelease(version) && { prereleases: {} }) }
  }

  #isPrerelease(version: string): boolean {
    return (this.#reader.version(version)?.pre.length ?? 0) > 0
  }

  /** Returns the settings that a parent passes on to the install of a step. A parent that a step makes has no values for others. */
  #handedBy({ dependent, step: parent, requirement }: Parent, { package: { id } }: Step): Handed | undefined {
    const made = parent && this.#handed.get(parent)
    if (made !== undefined) return { ...made, values: [] }
    const owner = dependent?.install && this.#installs.get(dependent.install)
    const alias = requirement.type === 'package' ? requirement.alias : undefined
    return owner && handedBy(owner, { refName: id, alias })
  }
}
