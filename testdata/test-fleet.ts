import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { diskFolder } from '../src/folder/whole-folder.ts'
import { planFolder } from '../src/render/disk/plan-folder.ts'
import type { FolderRenderContext } from '../src/render/disk/render-step.ts'
import { MadePackages } from '../src/render/made-packages.ts'
import type { RenderOptions } from '../src/render/options.ts'
import type { RenderPlan } from '../src/render/plan-render.ts'
import { CATALOG_BUILTINS } from '../src/render/runs/catalog-builtins.ts'
import { PackageFunctions } from '../src/render/runs/package-functions.ts'
import type { SelectionTerms } from '../src/render/selection.ts'
import type { KrmObject } from '../src/resource-list/krm-object.ts'

/** Files by path; an undefined text removes the file. */
export type TestFiles = Readonly<Record<string, string | undefined>>

const OPTIONS: RenderOptions = {
  repositories: new Map(),
  clone: 'kpt',
  status: false,
  followRenames: false,
  discardEdits: false,
  allowMoved: false,
  allowEmpty: false,
}

const EVERYTHING: SelectionTerms = { only: [], shard: undefined }

/** A fleet in a temporary folder, whose packages are in `out`. */
export class TestFleet {
  readonly root = mkdtempSync(join(tmpdir(), 'test-fleet-'))

  remove(): void {
    rmSync(this.root, { recursive: true })
  }

  write(path: string, text: string | undefined): void {
    const place = join(this.root, path)
    mkdirSync(dirname(place), { recursive: true })
    if (text === undefined) rmSync(place, { force: true })
    else writeFileSync(place, text)
  }

  writeAll(folder: string, files: TestFiles): void {
    for (const [path, text] of Object.entries(files)) this.write(`${folder}/${path}`, text)
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  /** Replaces a text of a file. @throws Error  when the file does not hold the text */
  edit(path: string, before: string, after: string): void {
    const text = this.read(path)
    if (!text.includes(before)) throw new Error(`${path} has no ${before}:\n${text}`)
    this.write(path, text.replace(before, after))
  }

  /** Returns a request to render the fleet of some objects. */
  plan(items: readonly KrmObject[], options: Partial<RenderOptions> = {}, terms = EVERYTHING) {
    return planFolder({
      items,
      dir: { disk: this.root, shown: 'fleet' },
      out: { disk: join(this.root, 'out'), shown: 'out' },
      options: { ...OPTIONS, ...options },
      git: { cache: join(this.root, 'cache'), offline: true },
      allowOutside: false,
      terms,
    })
  }

  /** Returns the objects that the steps of a plan are rendered with. */
  contextOf(plan: RenderPlan): FolderRenderContext {
    const folderOf = (folder: string) => diskFolder(join(this.root, 'out', folder))
    return {
      plan,
      made: new MadePackages(plan, folderOf),
      placeOf: (folder) => ({ disk: join(this.root, 'out', folder), shown: `out/${folder}` }),
      folderOf,
    }
  }
}

/** Returns functions of packages with those of the catalog alone: a program fails. */
export function catalogFunctions(): PackageFunctions {
  return new PackageFunctions({
    builtins: CATALOG_BUILTINS,
    programs: new Map(),
    allowExec: false,
    imagePrefix: undefined,
    program: () => () => ({ stdout: '', stderr: 'no program runs here', exitCode: 1 }),
  })
}
