import type { JsonRecord } from '../../json.ts'
import { listNames } from '../finding.ts'
import type { Step } from '../plan/plan.ts'
import { movedFields, type Writer, type WrittenObject } from '../reading/ecosystem.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import { AS_DEPENDENCY_ANNOTATION, repositoriesOf } from './objects.ts'
import type { GlasskubeContext } from './requirements.ts'

/** Makes ClusterPackages, and Packages for components, as Glasskube's operator does: pinned, and marked as installed for another one. */
export function glasskubeWriter(context: GlasskubeContext): Writer {
  return { create: (step) => objectOf(step, context), update: movedFields }
}

function objectOf(step: Step, context: GlasskubeContext): WrittenObject {
  const instance = context.instances.get(step.package)
  if (instance === undefined) return { fault: 'nothing is known of it' }
  const found = (context.manifests.get(instance.manifestName) ?? []).filter(({ version }) => version === step.version)
  const repositories = repositoriesOf(found)
  if (repositories.length > 1) return { fault: `it is in the repositories ${listNames(repositories)}: install it with a repositoryName` }
  const [repository] = repositories
  const isCluster = instance.namespace === ''
  const [parent] = step.parents
  const values = parent && context.values.get(parent.requirement)
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
  return { object }
}
