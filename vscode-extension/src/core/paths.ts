/** Paths of either kind of system, wherever this runs. */

import path from "path";

export type Platform = "win32" | "darwin" | "linux";

/** The rules for paths of a platform. */
export function pathsOf(platform: Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}

/** Whether a file lies in a folder, or is it. Windows and macOS do not tell cases apart. */
export function isInside(file: string, folder: string, platform: Platform): boolean {
  const paths = pathsOf(platform);
  const fold = (one: string): string => (platform === "linux" ? one : one.toLowerCase().normalize("NFC"));
  const relative = paths.relative(fold(paths.resolve(folder)), fold(paths.resolve(file)));
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative));
}

/** The interpreter of a virtual environment. */
export function interpreterIn(environment: string, platform: Platform): string {
  const paths = pathsOf(platform);
  return platform === "win32" ? paths.join(environment, "Scripts", "python.exe") : paths.join(environment, "bin", "python");
}
