import { equalJson, type JsonRecord, type JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Install } from '../package-index.ts'
import { installs, ownerName, type Parent, type Step } from '../plan/plan.ts'
import type { RangeReader } from '../range.ts'
import { type NewFieldValue, rootObject, type Writer, type WrittenObject } from '../reading/ecosystem.ts'
import { textAt } from '../reading/field.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import { CARVEL_OWNER_ANNOTATION, type PackageInstall } from './installs.ts'
import { areFor } from './requirements.ts'

/** The settings that a PackageInstall passes on to the installs that it owns. */
interface Handed {
  readonly serviceAccountName: string
  readonly defaultNamespace: string
}

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
  readonly #reader: RangeReader
  readonly #handed = new Map<Step, Handed>()

  constructor(installs: ReadonlyMap<Install, PackageInstall>, reader: RangeReader) {
    this.#installs = installs
    this.#reader = reader
  }

  objectOf(install: Install): KrmObject | undefined {
    return this.#installs.get(install)?.object
  }

  create(step: Step): WrittenObject {
    const near = rootObject(step, (install) => this.objectOf(install))
    const [owner] = step.parents
    if (owner !== undefined && !installs(owner)) return { fault: 'everything that requires it says `install: false`' }
    const handed = owner && this.#handedBy(owner)
    if (handed === undefined) return { fault: `no PackageInstall requires it whose service account could install it` }
    this.#handed.set(step, handed)
    const { namespace } = near ?? {}
    const values = owner === undefined ? [] : this.#valuesFor(step, owner)
    const object: JsonRecord = {
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      metadata: {
        name: step.name,
        ...(namespace !== undefined && { namespace }),
        annotations: { [CARVEL_OWNER_ANNOTATION]: `PackageInstall/${step.owner}`, [RESOLVED_ANNOTATION]: step.version },
      },
      spec: {
        ...(handed.serviceAccountName !== '' && { serviceAccountName: handed.serviceAccountName }),
        ...(handed.defaultNamespace !== '' && { defaultNamespace: handed.defaultNamespace }),
        packageRef: { refName: step.id, versionSelection: this.#selection(step.version) },
        ...(values.length > 0 && { values }),
      },
    }
    return { object, near }
  }

  update(step: Step): readonly NewFieldValue[] {
    const { install, version, owner } = step
    const found = install && this.#installs.get(install)
    if (install === undefined || found === undefined) return []
    const isHandedOver = install.generated && owner !== found.owner
    const marks = [...(install.generated ? this.#marks(found, version, owner) : []), ...(isHandedOver ? this.#handedOver(found, step) : [])]
    if (version === install.text) return marks
    const selection = ['spec', 'packageRef', 'versionSelection']
    const prereleases =
      this.#isPrerelease(version) && found.ref.prereleases === undefined ? [{ path: [...selection, 'prereleases'], value: {} }] : []
    return [...marks, { path: [...selection, 'constraints'], value: version }, ...prereleases]
  }

  #marks({ object, owner: before }: PackageInstall, version: string, owner: string | undefined): readonly NewFieldValue[] {
    const annotations = ['metadata', 'annotations']
    const isNewOwner = owner !== undefined && owner !== before
    return [
      ...(isNewOwner ? [{ path: [...annotations, CARVEL_OWNER_ANNOTATION], value: `PackageInstall/${owner}` }] : []),
      ...(object.annotations.get(RESOLVED_ANNOTATION) === version ? [] : [{ path: [...annotations, RESOLVED_ANNOTATION], value: version }]),
    ]
  }

  /**
   * Returns the fields that change when an install gets another owner: service account, default namespace and values. The install would
   * otherwise keep the account and values of its former owner.
   */
  #handedOver({ object }: PackageInstall, step: Step): readonly NewFieldValue[] {
    const owner = step.parents.find((parent) => ownerName(parent) === step.owner)
    const handed = owner && this.#handedBy(owner)
    if (owner === undefined || handed === undefined) return []
    const values = this.#valuesFor(step, owner)
    const fields: readonly NewFieldValue[] = [
      { path: ['spec', 'serviceAccountName'], value: handed.serviceAccountName || undefined },
      { path: ['spec', 'defaultNamespace'], value: handed.defaultNamespace || undefined },
      { path: ['spec', 'values'], value: values.length > 0 ? values : undefined },
    ]
    return fields.filter(({ path, value }) => !equalJson(object.get(path), value))
  }

  #selection(version: string): JsonRecord {
    return { constraints: version, ...(this.#isPrerelease(version) && { prereleases: {} }) }
  }

  #isPrerelease(version: string): boolean {
    return (this.#reader.version(version)?.pre.length ?? 0) > 0
  }

  #handedBy({ dependent, step }: Parent): Handed | undefined {
    if (step !== undefined) return this.#handed.get(step)
    const object = dependent?.install && this.objectOf(dependent.install)
    if (object === undefined) return undefined
    return {
      serviceAccountName: textAt(object, 'spec', 'serviceAccountName'),
      defaultNamespace: textAt(object, 'spec', 'defaultNamespace'),
    }
  }

  /** Returns the secrets that the owner passes to a dependency, by the refName of the dependency or by its name in the owner's list. */
  #valuesFor({ id }: Step, { dependent, requirement }: Parent): JsonValue[] {
    const install = dependent?.install && this.#installs.get(dependent.install)
    const alias = requirement.type === 'package' ? requirement.alias : undefined
    const own = install?.values.filter((each) => areFor(each, { refName: id, alias })) ?? []
    return own.map(({ secretRef }) => ({ secretRef }))
  }
}
