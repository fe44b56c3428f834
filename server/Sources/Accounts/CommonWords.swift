internal import Platform

/// Words of which people make passwords: what they think of when they are asked for one.
enum CommonWords {
  static let all = Set(
    (asked + people + animals + times + places + games + loved + food + phrases)
      .split(atByte: UInt8(ascii: " ")).map { Array($0.utf8) })

  /// The question itself, and what systems come with.
  private static let asked = """
    password passwort pass word passwd parola contrasena contraseña motdepasse senha wachtwoord haslo heslo login logon signin \
    signup user username admin administrator root toor guest test tester testing testtest temp temporary default \
    changeme change changeit secret secrets private geheim system server service oracle master access welcome willkommen \
    bienvenue hello hallo bonjour hola ciao internet computer laptop windows linux ubuntu apple google facebook \
    instagram twitter youtube tiktok clipfeed netflix amazon samsung iphone android nokia sony intel microsoft qwerty azerty \
    qwertz abc asdf zxcv qazwsx demo example sample support manager office work business company security secure safe \
    open opensesame sesame letmein letmeinnow enter trustno trustme trust nothing something anything whatever whocares none \
    unknown noname forget forgot remember please thanks thankyou \u{20}
    """
  private static let people = """
    michael jennifer jessica ashley michelle daniel thomas robert andrew joshua matthew william charlie george jordan \
    hunter nicole amanda samantha anthony patrick justin martin richard alexander alexandra alex maria anna anne laura \
    sarah sandra andrea angela monica melissa stephanie rebecca rachel victoria elizabeth heather natalie natasha \
    christina christine christopher christian chris david steven stefan peter paul simon philip oliver oscar lucas lukas jonas \
    leon felix julia sophie sophia emma emily hannah lisa lena sabine claudia carlos antonio jose juan pedro miguel \
    diego fernando francisco ricardo roberto eduardo marco mario giovanni giuseppe francesca alessandro andrei ivan \
    vladimir dmitri sergey natalia olga irina ahmed mohamed mohammed muhammad ali omar fatima mustafa mehmet raj rahul \
    krishna wei ming jackson johnson smith taylor austin tyler brandon benjamin samuel nicholas jonathan joseph john \
    james kevin brian jason eric scott mark frank henry jack harry max maggie buster ginger lucky pepper bailey molly sammy \
    rocky shadow smokey tigger barney bandit cookie coco luna bella daisy lucy princess prince king queen angel angels baby babygirl \
    babyboy mother father mom mum mommy daddy dad sister brother family friend friends grandma boss\u{20}
    """
  private static let animals = """
    dragon monkey tiger lion eagle falcon phoenix panther leopard cougar jaguar wolf wolves bear bears horse horses mustang pony \
    unicorn rabbit bunny kitten kitty cat cats dog dogs doggy puppy bird birds chicken duck fish shark dolphin dolphins whale \
    turtle spider snake scorpion butterfly elephant panda koala penguin mouse hamster buffalo\u{20}
    """
  private static let times = """
    january february march april may june july august september october november december monday tuesday wednesday \
    thursday friday saturday sunday spring summer autumn winter fall sommer herbst fruehling sunshine sunrise sunset \
    morning night midnight today tomorrow yesterday forever birthday holiday christmas easter halloween newyear weekend\u{20}
    """
  private static let places = """
    london paris berlin madrid barcelona roma milano moscow newyork chicago boston dallas houston texas california \
    florida arizona denver phoenix atlanta detroit toronto canada america usa england scotland ireland france germany \
    deutschland espana italia italy brasil brazil mexico argentina colombia russia ukraine poland polska india pakistan china japan \
    tokyo korea australia sydney africa europe world earth mars moon heaven paradise ocean mountain river island beach forest \
    rainbow thunder lightning storm fire water ice snow flower flowers rose lily jasmine sunflower star stars galaxy universe\u{20}
    """
  private static let games = """
    football soccer fussball futbol baseball basketball hockey tennis golf cricket rugby swimming running fishing racing \
    liverpool chelsea arsenal manchester united everton barca realmadrid juventus bayern bayernmunich schalke dortmund celtic \
    rangers yankees cowboys steelers lakers packers raiders eagles redsox dodgers giants patriots broncos ferrari porsche mercedes \
    bmw audi toyota honda yamaha suzuki ducati corvette camaro harley ford chevy nissan jeep batman superman spiderman \
    ironman avengers marvel starwars startrek skywalker yoda vader matrix gandalf hobbit frodo merlin wizard pokemon \
    pikachu minecraft fortnite roblox mario zelda sonic naruto goku warcraft starcraft counterstrike halo doom quake gamer \
    player game games playstation xbox nintendo chess poker casino lucky winner champion legend hero ninja samurai pirate \
    warrior soldier knight hunter killer destroyer assassin sniper ghost monster demon devil satan zombie vampire\u{20}
    """
  private static let loved = """
    love lover lovely loveme loveyou iloveyou iloveu ilove teamo tequiero jetaime ichliebedich amor amore mylove mybaby \
    sweet sweetie sweetheart sweety honey sugar darling beautiful pretty hottie sexy sexygirl hot cool awesome great best perfect \
    happy smile smiley peace freedom liberty hope faith grace jesus jesuschrist christ god godisgood blessed church bible \
    heart hearts kiss kisses passion dream dreams dreamer magic music guitar piano drummer rock rockstar metal metallica nirvana \
    beatles slipknot eminem elvis dance dancer singer hiphop movie cinema picture photo camera video art artist design money dollar \
    dollars cash rich bitcoin gold golden silver diamond crystal platinum purple orange yellow green blue red black white pink \
    brown gray grey violet indigo scarlet\u{20}
    """
  private static let food = """
    chocolate banana cherry strawberry blueberry apple apples peach lemon mango coconut orange potato tomato carrot cheese \
    cheesecake butter bread pizza pasta burger bacon sausage taco nachos pancake cookie cookies cake candy cupcake muffin icecream \
    coffee tea beer vodka whiskey whisky wine tequila cocacola pepsi milk juice snickers nutella pumpkin peanut ginger pepper\u{20}
    """
  private static let phrases = """
    fuckyou fuckme fuckoff fuck fucker asshole bitch shit bullshit motherfucker badboy badgirl bigboy goodboy goodgirl blink \
    nopassword mypassword thepassword yourpassword newpassword oldpassword passwordpassword ihatepasswords idontknow \
    dontknow ihateyou imissyou iamthebest myself myname mypass student teacher school college university doctor nurse \
    police pilot captain general engineer lawyer chef driver worker trucker biker player scooter truck car cars house home \
    window door table chair bottle phone mobile telephone number zero one two three four five six seven eight nine ten eleven \
    hundred thousand million billion infinity
    """
}
