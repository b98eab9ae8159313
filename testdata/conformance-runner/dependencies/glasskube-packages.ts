import type { JsonRecord } from '../../../src/json.ts'
import { clusterPackage, packageInfo } from './glasskube-objects.ts'
import { record, records, text } from './vectors.ts'

/** A package as vectors describe it: a ClusterPackage, with a namespace a Package; `package` is its name in the repository. */
export function packageObjects(each: JsonRecord, manifest: JsonRecord): object[] {
  const [name, version, namespace] = [text(each, 'package') || text(each, 'name'), text(each, 'version'), text(each, 'namespace')]
  const annotations = each.asDependency === true ? { 'packages.glasskube.dev/installed-as-dependency': 'true' } : {}
  const deleted = each.deleting === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}
  if (namespace === '') {
    const [object, info] = clusterPackage(name, version, manifest, annotations)
    return [{ ...object, metadata: { name, annotations, ...deleted } }, info ?? {}]
  }
  const instance = {
    apiVersion: 'packages.glasskube.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: text(each, 'name'), namespace, annotations, ...deleted },
    spec: { packageInfo: { name, version } },
  }
  return [instance, packageInfo(name, version, { ...manifest, scope: 'Namespaced' })]
}

/** The manifest that a package of a vector carries itself. */
export function ownManifest(each: JsonRecord): JsonRecord {
  const defaultNamespace = text(each, 'defaultNamespace')
  return {
    dependencies: records(each, 'dependencies'),
    components: records(each, 'components'),
    ...(defaultNamespace !== '' && { defaultNamespace }),
  }
}

/** A repository, package by package and version by version, as a Catalog. What a manifest does not say it does not need. */
export function repositoryCatalog(repo: JsonRecord): object {
  const packages = Object.keys(repo).map((id) => ({
    ecosystem: 'glasskube',
    id,
    versions: Object.keys(record(repo, id)).map((version) => {
      const manifest = record(record(repo, id), version)
      const { scope, defaultNamespace } = manifest
      return {
        version,
        dependencies: records(manifest, 'dependencies'),
        components: records(manifest, 'components'),
        ...(scope !== undefined && { scope }),
        ...(defaultNamespace !== undefined && { defaultNamespace }),
      }
    }),
  }))
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'repository' }, spec: { packages } }
}

/** Returns true if two descriptions are of one package. */
export function isSame(a: JsonRecord, b: JsonRecord): boolean {
  return text(a, 'name') === text(b, 'name') && text(a, 'namespace') === text(b, 'namespace')
}
