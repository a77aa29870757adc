import { nameKey, type Gender, type Random } from '@clinic/domain';

// Invented names; any resemblance to real people is coincidental.

const split = (text: string): string[] => text.trim().split(/\s+/);

const ADULTS: Record<Gender, string[]> = {
  Female: split(`Alicia Amara Andrea Angela Anika Beatriz Bianca Brianna Camille Carolina Chanel Chloé Claire Danielle
    Deborah Denise Desiree Elena Erin Esther Fatima Felicia Gabriela Giselle Grace Hannah Heather Imani Ingrid Isabel
    Jasmine Jenna Joanna Kayla Keisha Kelly Kiara Latoya Laura Leah Leila Lena Lucía Madison Mariana Marisol Megan Mei
    Melissa Michelle Miriam Monica Naomi Natalia Nicole Nina Olivia Paige Patricia Priya Rachel Rebecca Renée Rosa
    Sabrina Samantha Selena Shanice Sofia Stephanie Tamika Tara Tatiana Thuy Valeria Vanessa Veronica Whitney Ximena
    Yasmin Yolanda Yuki Zoë`),
  Male: split(`Adrian Andre Anthony Brandon Brian Carlos Christian Daniel Darius David Derrick Diego Eduardo Elijah
    Ethan Felipe Gabriel Hector Ian Isaiah Jamal Javier Jonathan Jorge Joshua Julian Kenji Kevin Kofi Liam Luis Malik
    Marco Marcus Mateo Nathan Nicolás Omar Patrick Quentin Rafael Ravi Samuel Sean Terrence Thomas Tyler Victor Wesley
    Xavier`),
};

const CHILDREN: Record<Gender, string[]> = {
  Female: split(`Abigail Adaeze Aaliyah Alma Amelia Aria Aurora Ava Ayla Camila Celeste Charlotte Clara Delilah Eliana
    Ella Emilia Emma Esme Eva Evelyn Freya Genesis Hazel Iris Isla Ivy Jade Josephine Juniper Kaia Layla Lily Luna
    Maya Mia Mila Nadia Nia Nora Penelope Quinn Ruby Sadie Saanvi Sienna Stella Valentina Violet Willow Zara Zuri`),
  Male: split(`Aiden Amir Andrés Anthony Asher Axel Beckett Benjamin Caleb Cameron Carter Colin Damian Declan Dominic
    Dylan Eli Elliot Emmanuel Enzo Ezra Finn Gavin George Grayson Hassan Henry Hudson Hugo Ibrahim Isaac Ismael Jaden
    Jasper Jayden Joaquín José Jude Kai Kieran King Landon Leo Levi Logan Luca Lucas Mason Matías Max Micah Miles Milo
    Mohammed Myles Nico Noah Nolan Oliver Oscar Owen Parker Remy River Roman Rowan Ryder Santiago Sebastián Silas
    Simon Theo Thiago Tobias Tristan Vihaan Wyatt Zane Zion`),
};

const LAST = split(`Abbott Acosta Adeyemi Aguilar Ahmed Alvarez Anderson Baker Baptiste Barrera Bello Bennett Blanco
  Boateng Brooks Bui Cabrera Campbell Castillo Chen Cho Coleman Cooper Cruz Cunningham Daniels Davis Delgado Desai
  Diaz Dixon Doyle Duarte Edwards Ellison Espinoza Evans Farah Figueroa Fleming Flores Foster Franco Freeman Fuentes
  García Gibson Gomez Grant Greene Gupta Guzmán Haddad Hall Hamilton Harris Hayes Henderson Hernández Hill Hoffman
  Howard Hughes Ibarra Jackson James Jean-Louis Jenkins Johnson Joseph Kaplan Kelley Khan Kim Kowalski Lambert Larsen
  Lawson Lee Leung Lewis Lindqvist López Mack Maldonado Martin McCarthy Medina Mendoza Miller Miranda Mitchell Moore
  Morales Moreau Morgan Murphy Myers Nelson Newman Nguyen Novak Núñez Okafor Oliveira Ortiz Osei Owens Palmer Park
  Patel Pearson Peña Perry Petrov Pham Phillips Pierre Porter Powell Quiñones Ramírez Reed Reyes Rhodes Rivera Robinson
  Rodríguez Rojas Romero Rosario Ross Ruiz Russell Salazar Sanders Santos Schmidt Shah Sharma Silva Simmons Singh
  Smith-Jones Soto Stewart Suárez Sullivan Tanaka Taylor Thomas Thompson Torres Tran Turner Valdez Vargas Vega Vu
  Walker Wallace Ward Washington Watkins Webb Weiss Whitaker Williams Wright Yamada Young Zamora Zhang`);

/**
 * Gives people first and last names. Full names are unique in the clinic, and first names are unique within each list
 * of people.
 */
export class NameGiver {
  readonly #taken = new Set<string>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns names for people of these genders, in the same order. */
  give(kind: 'adults' | 'children', genders: readonly Gender[]): { first: string; last: string }[] {
    const pool = kind === 'adults' ? ADULTS : CHILDREN;
    const left = { Female: this.#random.shuffle(pool.Female), Male: this.#random.shuffle(pool.Male) };
    return genders.map((gender) => {
      const first = left[gender].pop() ?? this.#random.pick(pool[gender]);
      for (;;) {
        const last = this.#random.pick(LAST);
        const key = nameKey(`${first} ${last}`);
        if (this.#taken.has(key)) continue;
        this.#taken.add(key);
        return { first, last };
      }
    });
  }
}
