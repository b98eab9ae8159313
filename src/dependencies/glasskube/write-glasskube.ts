import type { JsonRecord, JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { listNames } from '../finding.ts'
import type { Install } from '../package-index.ts'
import type { Step } from '../plan/plan.ts'
import { type NewFieldValue, rootObject, type Writer, type WrittenObject } from '../reading/ecosystem.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import { AS_DEPENDENCY_ANNOTATION, type GlasskubePackage, repositoriesOf } from './objects.ts'
import type { GlasskubeContext } from './requirements.ts'

/** Makes ClusterPackages, and Packages for components, as Glasskube's operator does: pinned, and marked as installed for another one. */
export class GlasskubeWriter implements Writer {
  readonly #installs: ReadonlyMap<Install, GlasskubePackage>
  readonly #context: GlasskubeContext

  constructor(installs: ReadonlyMap<Install, GlasskubePackage>, context: GlasskubeContext) {
    this.#installs = installs
    this.#context = context
  }

  objectOf(install: Install): KrmObject | undefined {
    return this.#installs.get(install)?.object
  }

  create(step: Step): WrittenObject {
    const instance = this.#context.instances.get(step.package)
    if (instance === undefined) return { fault: 'nothing is known of it' }
    const found = (this.#context.manifests.get(instance.manifestName) ?? []).filter(({ version }) => version === step.version)
    const repositories = repositoriesOf(found)
    if (repositories.length > 1) return { fault: `it is in the repositories ${listNames(repositories)}: install it with a repositoryName` }
    const [repository] = repositories
    const isCluster = instance.namespace === ''
    const values = this.#valuesFor(step)
    const object: JsonRecord = {
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind: isCluster ? 'ClusterPackage' : 'Package',
      metadata: {
        name: step.name,
        ...(!isCluster && { namespace: instance.namespace }),
        annotations: { [AS_DEPENDENCY_ANNOTATION]: 'true', [RESOLVED_ANNOTATION]: step.version },
      },
      spec: {
        packageInfo: {
          name: instance.manifestName,
          // A package without versions gets an empty one, since Glasskube's CRD requires the field.
          version: step.version,
          ...(repository !== undefined && { repositoryName: repository }),
        },
        ...(values !== undefined && { values }),
      },
    }
    return { object, near: rootObject(step, (install) => this.objectOf(install)) }
  }

  update({ install, version }: Step): readonly NewFieldValue[] {
    if (install === undefined || version === install.text) return []
    const resolved = { path: ['metadata', 'annotations', RESOLVED_ANNOTATION], value: version }
    return [...(install.generated ? [resolved] : []), { path: ['spec', 'packageInfo', 'version'], value: version }]
  }

  #valuesFor({ parents: [parent] }: Step): JsonValue | undefined {
    return parent && this.#context.values.get(parent.requirement)
  }
}
