import { main } from '../../src/run.ts'
import { renderVariants } from './render-variants.ts'

await main(renderVariants)
