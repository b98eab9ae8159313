import type { JsonValue } from '../../../src/json.ts'

/** A ClusterPackage and the PackageInfo with its manifest. */
export function clusterPackage(name: string, version: string, manifest: object = {}, annotations: object = {}): object[] {
  return [
    {
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind: 'ClusterPackage',
      metadata: { name, annotations },
      spec: { packageInfo: { name, version } },
    },
    packageInfo(name, version, manifest),
  ]
}

export function packageInfo(name: string, version: string, manifest: object): object {
  return {
    apiVersion: 'packages.glasskube.dev/v1alpha1',
    kind: 'PackageInfo',
    metadata: { name: `${name}--${version}` },
    spec: { name, version },
    status: { manifest: { name, ...manifest } },
  }
}

/** A Catalog of versions of which nothing else is known. */
export function glasskubeCatalog(versions: Readonly<Record<string, readonly JsonValue[]>>): object {
  const packages = Object.entries(versions).map(([id, known]) => ({ ecosystem: 'glasskube', id, versions: known }))
  return {
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'Catalog',
    metadata: { name: 'glasskube', annotations: { 'config.kubernetes.io/local-config': 'true' } },
    spec: { packages },
  }
}
