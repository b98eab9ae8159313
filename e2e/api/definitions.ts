import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { ROOT } from '../run-program.ts'

/** A CustomResourceDefinition, as far as tests read it. */
export interface Definition {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: { readonly kind: string; readonly plural: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  }
}

/**
 * The folders of the definitions. Of two definitions with one name, that in the later folder is used: Porch's are newer in gitops than in
 * real.
 */
export const CRD_FOLDERS = ['../shared/real/crds', '../shared/gitops/crds', 'schemas/crds'].map((path) => join(ROOT, path))

export function readDefinitions(): readonly Definition[] {
  const documents = CRD_FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8'))),
  )
  const definitions = documents.map((document) => document.toJS()).filter((object) => object?.kind === 'CustomResourceDefinition')
  return [...new Map(definitions.map((definition: Definition) => [definition.metadata.name, definition])).values()]
}
