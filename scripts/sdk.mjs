// `npm run sdk`: the modules that programs of others import, dist/sdk/sdk.mjs and cel.mjs, each with its declarations in one file,
// and the licences of what all bundles hold. The reports of the surface in sdk/api are compared; `-- -u` writes them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor'
import { bundleModule } from './bundle.mjs'
import { prepare, ROOT, say } from './ready.mjs'

const MODULES = ['sdk', 'cel']
const SDK = join(ROOT, 'dist/sdk')
// Not below node_modules: what stands there is of other packages to the extractor.
const TYPES = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-types-'))
// Packages whose code is in the bundles.
const BUNDLED = ['@bufbuild/re2', 'commander', 'cytoscape', 'diff', 'yaml']
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2023'],
  module: 'nodenext',
  strict: true,
  types: [],
  allowImportingTsExtensions: true,
  noEmit: true,
}

prepare(process.execPath, ['scripts/generate.mjs'])
prepare(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'sdk', '--outDir', TYPES])
// Functions of others have rules of their own, so any text is a rule to them.
writeFileSync(join(TYPES, 'src/rules/rule-id.d.ts'), 'export type RuleId = string;\n')
mkdirSync(SDK, { recursive: true })
for (const name of MODULES) {
  writeFileSync(join(SDK, `${name}.mjs`), await bundleModule(`sdk/${name}.ts`))
  if (declare(name)) continue
  say(`The surface of krm-variants/${name} is not that of sdk/api/${name}.public.api.md: read what changed after npm run sdk -- -u`)
  process.exitCode = 1
}
rmSync(TYPES, { recursive: true })
writeFileSync(join(ROOT, 'dist/LICENSES.txt'), BUNDLED.map(licenceOf).join('\n\n'))

/** Writes the declarations of a module; false when its surface is not that of its report. */
function declare(name) {
  const isUpdate = process.argv.includes('-u')
  const entry = join(TYPES, `sdk/${name}.d.ts`)
  const configObject = {
    projectFolder: TYPES,
    mainEntryPointFilePath: entry,
    compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [entry] } },
    apiReport: {
      enabled: true,
      reportFileName: name,
      reportVariants: ['public'],
      reportFolder: join(ROOT, 'sdk/api'),
      reportTempFolder: TYPES,
    },
    docModel: { enabled: false },
    // Without what is marked @internal.
    dtsRollup: { enabled: true, untrimmedFilePath: '', publicTrimmedFilePath: join(SDK, `${name}.d.mts`) },
    tsdocMetadata: { enabled: false },
    newlineKind: 'lf',
    messages: { extractorMessageReporting: { default: { logLevel: 'none' } }, tsdocMessageReporting: { default: { logLevel: 'none' } } },
  }
  const config = ExtractorConfig.prepare({ configObject, configObjectFullPath: undefined, packageJsonFullPath: join(ROOT, 'package.json') })
  return Extractor.invoke(config, { localBuild: isUpdate, messageCallback: handOver }).succeeded
}

/** A changed report is printed above; of the rest, only errors. */
function handOver(message) {
  message.handled = message.logLevel !== 'error'
}

function licenceOf(name) {
  const folder = join(ROOT, 'node_modules', name)
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path))
  const text = file === undefined ? `${license}, ${author}` : readFileSync(join(folder, file), 'utf8').trim()
  return `${name}\n\n${text}\n`
}
