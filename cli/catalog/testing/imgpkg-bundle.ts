import { ociImages, type PackedEntry } from '../../../src/image/testing/pack-image.ts'

/** Returns a Package of kapp-controller that requires nothing. */
export const bundledPackage = (refName: string, version = '1.0.0') =>
  `apiVersion: data.packaging.carvel.dev/v1alpha1\nkind: Package\nmetadata: {name: ${refName}.${version}}\nspec: {refName: ${refName}, version: ${version}}\n`
/** A folder of Packages with one. */
export const PACKAGES: readonly PackedEntry[] = [{ path: 'packages/db.yaml', bytes: bundledPackage('db.example.org') }]
/** Returns the entries of a bundle of imgpkg with some layers. */
export const bundle = (...layers: readonly (readonly PackedEntry[])[]) => ociImages({ layers, isMarked: false, isBundle: true })
