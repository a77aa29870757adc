import type { Random } from '@clinic/domain';

/** Invented names; any likeness to real people is a coincidence. */
const FIRST =
  'Ana,Bo,Carla,Dev,Elena,Farid,Grace,Hugo,Imani,Jonas,Keiko,Liam,Maria,Noor,Olga,Pavel,Quinn,Rosa,Samir,Tessa,Uma,Victor,Wanda,Xavier,Yara,Zane,Amir,Bella,Cody,Dina,Emil,Fiona,Gita,Henry,Iris,Jamal'.split(
    ',',
  );
const LAST =
  'Ruiz,Lee,Okafor,Novak,Haddad,Silva,Berg,Tanaka,Moreau,Costa,Petrov,Nguyen,Kaplan,Osei,Reyes,Lindqvist,Baker,Duarte,Farah,Gomez,Hughes,Ivanova,Jensen,Khan,Lopez,Mbeki,Nolan,Ortega,Park,Quirke,Rossi,Stein,Tran,Usman,Vega,Walsh'.split(
    ',',
  );

/** Returns `count` different display names. Beyond 1,296, names repeat with a number added. */
export function peopleNames(random: Random, count: number): string[] {
  const all = random.shuffle(FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`)));
  return Array.from({ length: count }, (_, i) => {
    const name = all[i % all.length] as string;
    return i < all.length ? name : `${name} (${Math.floor(i / all.length) + 1})`;
  });
}
