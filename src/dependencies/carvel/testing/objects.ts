import { KrmObject } from '../../../resource-list/krm-object.ts'
import type { Finding } from '../../finding.ts'
import { CARVEL } from '../carvel.ts'

/** Returns an object with a line for each value, in a file of its own. */
export function linedObject(value: object, path: string): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(value, null, 1), { path, index: 0, line: 1 })
}

/** Returns a Package in a file of its own, `REFNAME.VERSION.yaml`. */
export function packageInFile(refName: string, version: string, spec: object = {}, metadata: object = {}): KrmObject {
  const name = `${refName}.${version}`
  return linedObject(
    {
      apiVersion: 'data.packaging.carvel.dev/v1alpha1',
      kind: 'Package',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { refName, version, template: {}, ...spec },
    },
    `${name}.yaml`,
  )
}

/** The fields of a PackageInstall beside its package. */
interface InstallParts {
  readonly selection?: object
  readonly spec?: object
  readonly metadata?: object
  readonly status?: object
}

/** Returns a PackageInstall of a package in a file of its own, `NAME.yaml`. */
export function packageInstall(name: string, refName: string, { selection, spec, metadata, status }: InstallParts = {}): KrmObject {
  return linedObject(
    {
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { packageRef: { refName, ...(selection && { versionSelection: selection }) }, ...spec },
      ...(status && { status }),
    },
    `${name}.yaml`,
  )
}

type CarvelOptions = Parameters<typeof CARVEL.read>[2]

/** Returns the findings on objects of Carvel themselves. */
export function carvelFindings(objects: readonly KrmObject[], options: Partial<CarvelOptions> = {}): readonly Finding[] {
  return CARVEL.read(objects, [], {
    closed: false,
    globalPackageNamespace: 'kapp-controller-packaging-global',
    carvelSemver: '2024',
    ...options,
  }).findings()
}

/** Returns the findings on objects of Carvel, each as `RULE: MESSAGE`. */
export function carvelMessages(...given: Parameters<typeof carvelFindings>): readonly string[] {
  return carvelFindings(...given).map(({ rule, message }) => `${rule}: ${message}`)
}
