import { join } from 'node:path'
import { type PackedEntry, packTar } from '../../../src/image/testing/pack-image.ts'
import { TestFolder } from '../../../testdata/cli/test-folder.ts'

/** Returns the `package.yaml` of a package, with one definition and what the package requires. */
export function packageYaml(kind: string, name: string, dependsOn: Readonly<Record<string, string>> = {}): string {
  const needs = Object.entries(dependsOn).map(([source, version]) => `  - provider: ${source}\n    version: '${version}'\n`)
  return `apiVersion: meta.pkg.crossplane.io/v1
kind: ${kind}
metadata:
  name: ${name}
spec:
  dependsOn:${needs.length === 0 ? ' []' : `\n${needs.join('')}`}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${name}s.example.org
spec:
  group: example.org
  names: {kind: ${name.toUpperCase()}, plural: ${name}s}
  versions: [{name: v1, served: true}]
`
}

/** Returns the entries of a layer that has a `package.yaml` alone. */
export const layerOf = (text: string): readonly PackedEntry[] => [{ path: 'package.yaml', bytes: text }]
export const NET = 'xpkg.example.org/acme/net'
export const BASE = 'xpkg.example.org/acme/base'

/** A package that requires nothing. */
export const NOP = packageYaml('Provider', 'nop')
export const NAMED = `${BASE}:v1.0.0`

/** A folder in which a test packs images and adds them to a Catalog. */
export class ImageFolder extends TestFolder {
  writeImage(path: string, entries: readonly PackedEntry[]): void {
    this.write(path, packTar(entries))
  }

  writeEntries(path: string, entries: readonly PackedEntry[]): void {
    for (const entry of entries) this.write(join(path, entry.path), entry.bytes ?? '')
  }

  addToCatalog(...sources: readonly string[]) {
    return this.run('catalog', 'add', ...sources)
  }
}
