/** What to tell the person when the server cannot be set up, and what can be done about it. */

import type { Trouble } from "./bootstrap";
import type { Translate } from "./l10n";
import type { Platform } from "./paths";

export type Remedy = "pick" | "retry" | "getPython" | "log" | "settings" | "command";

export interface Message {
  readonly text: string;
  readonly remedies: readonly Remedy[];
}

/** The sentence and the buttons; undefined where the person decided so and needs no telling. */
export function messageOf(trouble: Trouble, platform: Platform, t: Translate): Message | undefined {
  switch (trouble.kind) {
    case "declined":
    case "cancelled":
      return undefined;
    case "noPython":
      return {
        text: t("Notekin needs Python 3.11 to 3.14, and none was found. Install one, or pick the interpreter to use."),
        remedies: ["pick", "retry", "getPython"],
      };
    case "doesNotStart":
      return {
        text: t("The Python interpreter {0} does not start. Pick another one, or correct the setting notekin.python.", trouble.path),
        remedies: ["pick", "settings", "log"],
      };
    case "insideWorkspace":
      return {
        text: t(
          "Notekin does not run {0}: a program that lies in an opened folder may come from anyone. Pick an interpreter outside of it.",
          trouble.path,
        ),
        remedies: ["pick", "retry"],
      };
    case "wrongVersion":
      return {
        text: t(
          "Notekin needs Python 3.11 to 3.14; {0} is {1}. Install one of these, or pick the interpreter to use.",
          trouble.path,
          trouble.version,
        ),
        remedies: ["pick", "retry", "getPython"],
      };
    case "intelMac":
      return {
        text: t(
          "{0} is a Python for Macs with an Intel processor, for which a part of Notekin is not built any more. On a Mac with Apple silicon, pick a Python built for that; on another, Notekin cannot run.",
          trouble.path,
        ),
        remedies: ["pick", "getPython"],
      };
    case "badCommand":
      return {
        text: t(
          "{0}, which the setting notekin.server.command names, does not start as Notekin's server. Correct the setting, or empty it to have the server set up.",
          trouble.program,
        ),
        remedies: ["command", "retry", "log"],
      };
    case "otherProtocol":
      return {
        text: t(
          "{0}, which the setting notekin.server.command names, is of another version than this extension understands. Update the older of the two, or empty the setting to have the server set up.",
          trouble.program,
        ),
        remedies: ["command", "retry", "log"],
      };
    case "noEnsurepip":
      return { text: noEnsurepip(trouble.path, trouble.version, platform, t), remedies: ["retry", "pick", "log"] };
    case "noNetwork":
      return {
        text: t("Notekin could not download what it needs: the package index cannot be reached. Check the network or pip's settings, then try again."),
        remedies: ["retry", "log"],
      };
    case "diskFull":
      return {
        text: t("Notekin could not be set up: the disk is full. It needs about {0} MB; make room, then try again.", INSTALLED_MB),
        remedies: ["retry", "log"],
      };
    case "noWheel":
      return {
        text: t(
          "Notekin cannot be installed with this Python on this system: there is no ready-made package of {0}. Pick another interpreter, 3.11 to 3.14, 64-bit.",
          trouble.what,
        ),
        remedies: ["pick", "retry", "log"],
      };
    case "failed":
      return { text: t("Notekin could not be set up: {0}", trouble.lastLine || t("see the log.")), remedies: ["retry", "pick", "log"] };
  }
}

/** Megabytes, measured with Python 3.11 on Linux; told before anything is downloaded. */
export const DOWNLOAD_MB = 160;
export const INSTALLED_MB = 460;

/** The question before the first installation. */
export function question(python: string, version: string, t: Translate): string {
  return t(
    "To search your notes, Notekin sets up its server once, in a private environment made with {0} (Python {1}): about {2} MB are downloaded from the package index, and {3} MB of disk are taken. After that it works offline.",
    python,
    version,
    DOWNLOAD_MB,
    INSTALLED_MB,
  );
}

function noEnsurepip(path: string, version: string, platform: Platform, t: Translate): string {
  const told = t("{0} cannot make virtual environments: its part “ensurepip” is missing.", path);
  const remedy =
    platform === "linux"
      ? t("On Debian and Ubuntu, install the package python{0}-venv, then try again.", version)
      : t("Reinstall Python with pip and venv, then try again, or pick another interpreter.");
  return `${told} ${remedy}`;
}
