/** A Package object as a repository has it. */
export function carvelPackage(refName: string, version: string, spec: object = {}): object {
  return {
    apiVersion: 'data.packaging.carvel.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: `${refName}.${version}` },
    spec: { refName, version, ...spec },
  }
}
