/** Installs the package for front ends into the folders that the command line names. */
import { installFrontEndPackage } from './front-end-package.js';

for (const folder of process.argv.slice(2)) installFrontEndPackage(folder);
