import { callerOfProcess, main } from '../../src/run.ts'
import { renderVariantsFor } from './render-variants.ts'

await main(renderVariantsFor(callerOfProcess()))
