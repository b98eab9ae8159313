import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { finish } from '../src/progress.ts'
import { renderToFolder } from '../src/render/disk/render-to-folder.ts'
import type { RenderOptions } from '../src/render/options.ts'
import type { FolderReport } from '../src/render/render-summary.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { catalogFunctions, type TestFiles, TestFleet } from './test-fleet.ts'

const PACKAGE = 'out/edge/shop'

/** A fleet of one variant in a temporary folder. */
export class OneVariantFleet extends TestFleet {
  /** Fields of the variant's spec, as YAML. */
  spec = '  packageContext: {data: {site: edge}}\n'
  hasVariant = true

  constructor(revisions: Readonly<Record<string, TestFiles>>) {
    super()
    onTestFinished(() => this.remove())
    for (const [revision, files] of Object.entries(revisions)) this.writeAll(`catalog/shop@${revision}`, files)
  }

  readPackage(path: string): string {
    return this.read(`${PACKAGE}/${path}`)
  }

  editPackage(path: string, before: string, after: string): void {
    this.edit(`${PACKAGE}/${path}`, before, after)
  }

  /** Every file of the package. */
  files(): TestFiles {
    const paths = readdirSync(join(this.root, PACKAGE), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const named = paths.map(({ parentPath, name }) => join(parentPath, name))
    return Object.fromEntries(named.sort().map((path) => [path.slice(join(this.root, PACKAGE).length + 1), readFileSync(path, 'utf8')]))
  }

  render(revision: number, { options = {}, runs = true }: { options?: Partial<RenderOptions>; runs?: boolean } = {}): FolderReport {
    const variant = KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: edge-shop
spec:
  upstream: {repo: catalog, package: shop, revision: ${revision}}
  downstream: {repo: edge, package: shop}
${this.spec}`)
    const plan = this.plan(this.hasVariant ? [variant] : [], options)
    return finish(renderToFolder({ ...plan, ...(runs && { functions: catalogFunctions() }), isDryRun: false }))
  }
}

/** Returns the rules of the findings of a run. */
export function rulesOf({ results }: FolderReport): readonly string[] {
  return results.map(({ tags }) => tags.rule)
}
